import type { Database, Transaction } from "../../db/database.ts";
import type { Caller } from "../../lib/caller.ts";
import { notFound, ServiceError } from "../../lib/errors.ts";
import { eventNames } from "../../lib/event-names.ts";
import type { Outbox } from "../../mixins/outbox.ts";
import { findDelivery } from "./delivery.repository.ts";
import type { DeliveryResource, OneDeliveryParams, RecoverParams } from "./delivery.schema.ts";
import { toResource } from "./delivery-view.ts";
import { demandRegistration, holdRegistration } from "./registration.ts";
import { findFailed, holdStatus, requeue } from "./requeue.repository.ts";
import { readSince } from "./since.ts";

/** Deliveries a transaction. */
const BATCH = 200;
/** Index entries that change for each: those of the delivery's status, and those of the queue. */
const CHANGES_PER_DELIVERY = 6;

export interface DeliveryResenderOptions {
  readonly database: Database;
  readonly outbox: Outbox;
  /** Deliveries a transaction of {@link DeliveryResender.recover}. */
  readonly batch?: number;
}

/** Sends deliveries once more that are over: it puts them back into the queue, and the dispatchers do the rest. */
export class DeliveryResender {
  readonly #database: Database;
  readonly #outbox: Outbox;
  readonly #batch: number;

  constructor({ database, outbox, batch = BATCH }: DeliveryResenderOptions) {
    this.#database = database;
    this.#outbox = outbox;
    this.#batch = batch;
  }

  /**
   * Sends one delivery once more.
   * @throws ServiceError 404 where there is no such delivery or registration, 409 where it is not over or was cancelled
   */
  async resend(caller: Caller, { id, delivery_id }: OneDeliveryParams): Promise<DeliveryResource> {
    return await this.#outbox.transaction(caller, async (transaction) => {
      await holdRegistration(transaction, caller.workspaceId, id);
      const status = await holdStatus(transaction, id, delivery_id);
      if (status === undefined) throw notFound("delivery");
      if (status === "pending") throw conflict("The delivery is still under way.");
      if (status === "cancelled") throw conflict("The delivery was cancelled.");
      await requeue(transaction, [delivery_id], status);
      return await this.#shown(transaction, id, delivery_id);
    });
  }

  async #shown(transaction: Transaction, targetId: string, id: string): Promise<DeliveryResource> {
    const row = await findDelivery(transaction, targetId, id);
    if (!row) throw notFound("delivery");
    return toResource(row);
  }

  /**
   * Sends every failed delivery of a registration once more that was made since a time. Each is taken once,
   * however it ends meanwhile; what was done stays done where the rest cannot be, and a repeat goes on from there.
   * @throws ServiceError 404 where there is no such registration, also where it is removed meanwhile; 400 for a time
   * that is none
   */
  async recover({ workspaceId }: Caller, { id, since }: RecoverParams): Promise<{ recovered: number }> {
    const sinceMs = readSince(since);
    await demandRegistration(this.#database.read, workspaceId, id);
    let recovered = 0;
    for (const event of eventNames) recovered += await this.#recoverEvent(workspaceId, id, event, sinceMs);
    return { recovered };
  }

  async #recoverEvent(
    workspaceId: string,
    targetId: string,
    event: string,
    sinceMs: number,
  ): Promise<number> {
    let recovered = 0;
    let before: string | undefined;
    for (let isOver = false; !isOver; ) {
      const rows = await findFailed(this.#database.read, { targetId, event, before }, this.#batch);
      const ids = rows.filter(({ created_at }) => created_at >= sinceMs).map(({ id }) => id);
      if (ids.length > 0) recovered += await this.#recoverBatch(workspaceId, targetId, ids);
      before = rows.at(-1)?.id;
      isOver = rows.length < this.#batch;
    }
    return recovered;
  }

  async #recoverBatch(workspaceId: string, targetId: string, ids: readonly string[]): Promise<number> {
    return await this.#database.transaction(async (transaction) => {
      transaction.expectChanges(ids.length * CHANGES_PER_DELIVERY);
      await holdRegistration(transaction, workspaceId, targetId);
      return await requeue(transaction, ids, "failed");
    });
  }
}

function conflict(message: string): ServiceError {
  return new ServiceError("conflict", message);
}
