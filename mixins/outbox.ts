import { type Database, placeholders, type SqlValue, type Transaction } from "../db/database.ts";
import { dialectSql } from "../db/dialect.ts";
import { ID_CHUNK_SIZES, inChunks, insertRows } from "../db/insert-rows.ts";
import type { Caller } from "../lib/caller.ts";
import { deliveryPayload } from "../lib/delivery.ts";
import type { EventName } from "../lib/event-names.ts";
import { newId } from "../lib/ids.ts";
import { createPacer } from "../lib/pacer.ts";
import { storeAnswer } from "./idempotency.ts";

/** Something that happened in the transaction that is being written; `data` as receivers will see it. */
export interface OutboxEvent {
  readonly event: EventName;
  readonly data: Readonly<Record<string, unknown>>;
}

/** What the broadcast after the commit says: which events of this kind there are, not what is in them. */
export interface OutboxNotice {
  readonly ids: readonly string[];
}

export interface OutboxTransaction extends Transaction {
  /** Writes event rows that exist if and only if the transaction's other rows do. */
  emit(events: readonly OutboxEvent[]): Promise<void>;
}

/**
 * Writes rows and the events that tell of them in one transaction, and after its commit wakes up whoever
 * delivers them. A notice that is lost costs time, never the event: the row is the truth.
 */
export class Outbox {
  readonly #database: Database;
  readonly #notify: (event: EventName, notice: OutboxNotice) => void;
  readonly #nowMs: () => number;

  constructor(
    database: Database,
    notify: (event: EventName, notice: OutboxNotice) => void,
    nowMs: () => number = Date.now,
  ) {
    this.#database = database;
    this.#notify = notify;
    this.#nowMs = nowMs;
  }

  /**
   * Runs the work in a transaction that can emit events of the caller's workspace. Where the caller has a claim,
   * what the work returns is stored as the answer to the request, in the same transaction: an action writes in
   * one such transaction, and gives back exactly what its work returns.
   * @returns what the work returns, once rows, events and answer are durable
   * @throws ServiceError `conflict` where another one has taken the claim over; nothing is written then
   */
  async transaction<Result>(
    caller: Caller,
    work: (transaction: OutboxTransaction) => Promise<Result>,
  ): Promise<Result> {
    const notices = new Map<EventName, string[]>();
    const { workspaceId, claim } = caller;
    const result = await this.#database.transaction(async (transaction) => {
      // The work may run again after a deadlock: what it said before never happened.
      notices.clear();
      const answer = await work({
        ...transaction,
        emit: async (events) => {
          const rows = events.map((event) => this.#row(caller, event, notices));
          await insertEvents(transaction, rows);
        },
      });
      if (claim) await storeAnswer(transaction, workspaceId, claim, answer);
      return answer;
    });
    if (claim) claim.isAnswered = true;
    for (const [event, ids] of notices) this.#notify(event, { ids });
    return result;
  }

  #row(caller: Caller, { event, data }: OutboxEvent, notices: Map<EventName, string[]>): SqlValue[] {
    const nowMs = this.#nowMs();
    const id = newId("event", nowMs);
    const ids = notices.get(event);
    if (ids) ids.push(id);
    else notices.set(event, [id]);
    const { workspaceId } = caller;
    // The bytes that every receiver will get: made here, once.
    const payload = deliveryPayload({ event, occurredAtMs: nowMs, workspaceId, data });
    return [id, workspaceId, event, payload];
  }
}

/** The events, and that nobody has made deliveries of them yet. */
async function insertEvents(transaction: Transaction, rows: readonly SqlValue[][]): Promise<void> {
  const columns = ["id", "workspace_id", "event", "payload", "created_at"];
  const { nowMs, usePrimaryKey } = dialectSql[transaction.dialect];
  // Which registrations an event concerns is judged by the database's clock, whichever node wrote it.
  await insertRows(transaction, "events", columns, rows, { expression: nowMs });
  const ids = rows.map(([id = null]) => id);
  const pause = createPacer();
  for (const chunk of inChunks(ids, ID_CHUNK_SIZES)) {
    // Copied, since on MariaDB the clock may have gone on since the statement before.
    await transaction.execute(
      `INSERT INTO pending_events (event_id, workspace_id, event, created_at)
       SELECT id, workspace_id, event, created_at FROM events ${usePrimaryKey("events")}
       WHERE id IN (${placeholders(chunk.length)})`,
      chunk,
    );
    await pause();
  }
}
