import { randomUUID } from "node:crypto";
import type { Database } from "../../db/database.ts";
import type { Lane } from "../../lib/delivery-states.ts";
import type { AttemptOutcome } from "./channels/channel.ts";
import type { Claim, NextStep } from "./claim.ts";
import type { Channel } from "./delivery.entity.ts";
import {
  type DeliveryFacts,
  findFacts,
  findNextLane,
  holdRows,
  insertAttempt,
  lockDue,
  releaseHeld,
  removeHeld,
  retryHeld,
  updateDelivery,
} from "./delivery-queue.repository.ts";

/** Longer than any attempt's deadline, so that who is alive keeps what it claimed; under 20 s. */
const LEASE_MS = 15_000;

/** A target that has something due in a lane. */
export interface DueLane {
  readonly targetId: string;
  readonly channel: Channel;
  readonly lane: Lane;
}

export interface DeliveryQueueOptions {
  /** How long a claim lasts, in milliseconds. */
  readonly leaseMs?: number;
}

/**
 * What is still to be delivered, shared by all dispatchers. Who claims a delivery has it alone for the lease; a
 * claim that was lost changes nothing more. The database's clock alone says what is due.
 */
export class DeliveryQueue {
  readonly #database: Database;
  readonly #leaseMs: number;

  constructor(database: Database, { leaseMs = LEASE_MS }: DeliveryQueueOptions = {}) {
    this.#database = database;
    this.#leaseMs = leaseMs;
  }

  /** Every target and lane that has something due, by target id: one seek each, however much waits there. */
  async dueTargets(): Promise<DueLane[]> {
    const { read } = this.#database;
    const due: DueLane[] = [];
    let row = await findNextLane(read, undefined);
    while (row) {
      if (row.is_due) due.push({ targetId: row.target_id, channel: row.channel, lane: row.lane });
      row = await findNextLane(read, row);
    }
    return due;
  }

  /**
   * Claims what is due for a target in a lane, the longest due first. What others hold is passed over.
   * @param count at most so many
   */
  async claim(targetId: string, lane: Lane, count: number): Promise<Claim[]> {
    if (count < 1) return [];
    return await this.#database.transaction(async (transaction) => {
      const rows = await lockDue(transaction, { target_id: targetId, lane }, count);
      if (rows.length === 0) return [];
      const ids = rows.map(({ delivery_id }) => delivery_id);
      const claimId = randomUUID();
      await holdRows(transaction, ids, claimId, this.#leaseMs);
      const facts = await findFacts(transaction, ids);
      return rows.flatMap(({ delivery_id, channel }) => {
        const fact = facts.get(delivery_id);
        return fact ? [claimOf(fact, { claimId, channel, targetId, lane })] : [];
      });
    });
  }

  /**
   * Notes an attempt, and what becomes of the delivery: all of it, or nothing where the claim is lost.
   * @returns whether the claim was still held
   */
  async record(claim: Claim, outcome: AttemptOutcome, next: NextStep): Promise<boolean> {
    return await this.#database.transaction(async (transaction) => {
      const isHeld =
        next.kind === "retry"
          ? await retryHeld(transaction, claim, next.inMs)
          : await removeHeld(transaction, claim);
      if (!isHeld) return false;
      await insertAttempt(transaction, claim, outcome);
      const status = next.kind === "retry" ? "pending" : next.kind;
      await updateDelivery(transaction, claim.deliveryId, { status, attemptCount: claim.attemptCount + 1 });
      return true;
    });
  }

  /**
   * Gives a delivery up whose target stands no more: no attempt is noted.
   * @returns whether the claim was still held
   */
  async cancel(claim: Claim): Promise<boolean> {
    const { attemptCount } = claim;
    return await this.#database.transaction(async (transaction) => {
      if (!(await removeHeld(transaction, claim))) return false;
      await updateDelivery(transaction, claim.deliveryId, { status: "cancelled", attemptCount });
      return true;
    });
  }

  /** Gives claims back: what they held is due at once. Those that were lost are passed over. */
  async release(claims: readonly Claim[]): Promise<void> {
    const byClaim = Map.groupBy(claims, ({ claimId }) => claimId);
    for (const [claimId, held] of byClaim) {
      const ids = held.map(({ deliveryId }) => deliveryId);
      await this.#database.transaction((transaction) => releaseHeld(transaction, claimId, ids));
    }
  }
}

function claimOf(
  { id, workspace_id, event_id, event, attempt_count }: DeliveryFacts,
  held: Pick<Claim, "claimId" | "channel" | "targetId" | "lane">,
): Claim {
  return {
    ...held,
    deliveryId: id,
    workspaceId: workspace_id,
    eventId: event_id,
    event,
    attemptCount: attempt_count,
  };
}
