import { placeholders, type Sql, type Transaction } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { insertRows } from "../../db/insert-rows.ts";
import type { DeliveryStatus } from "../../lib/delivery-states.ts";
import { lanes } from "../../lib/delivery-states.ts";
import type { EventName } from "../../lib/event-names.ts";
import type { AttemptOutcome } from "./channels/channel.ts";
import type { Claim } from "./claim.ts";
import type { QueuedRow } from "./delivery-queue.entity.ts";

const INDEX = "delivery_queue_due";

/** SQL of the moment that is so many milliseconds ahead by the database's clock. */
const fromNow = ({ dialect }: Sql, ms: number) => `${dialectSql[dialect].nowMs} + ${Math.trunc(ms)}`;

/** For rows found by a list of ids: MariaDB might read, and wait for, all that others hold. */
const queueRows = ({ dialect }: Sql) =>
  `delivery_queue ${dialectSql[dialect].usePrimaryKey("delivery_queue")}`;

const queueIndex = ({ dialect }: Sql) => `delivery_queue ${dialectSql[dialect].useIndex(INDEX)}`;

/** A target and a lane in which something is outstanding, and the earliest moment at which it is due. */
export type OutstandingLane = Pick<QueuedRow, "target_id" | "lane" | "channel"> & { is_due: number };

/**
 * The first outstanding row behind a target's lane, or of all where there is no such lane to start behind: one
 * seek in the index, however many rows the lane has.
 */
export async function findNextLane(
  sql: Sql,
  after: Pick<QueuedRow, "target_id" | "lane"> | undefined,
): Promise<OutstandingLane | undefined> {
  const { nowMs } = dialectSql[sql.dialect];
  const select = `SELECT target_id, lane, channel, due_at <= ${nowMs} AS is_due FROM ${queueIndex(sql)}`;
  const first = "ORDER BY target_id, lane, due_at, delivery_id LIMIT 1";
  const firstOfLane = "ORDER BY due_at, delivery_id LIMIT 1";
  if (!after) {
    const [row] = await sql.query<OutstandingLane>(`${select} ${first}`);
    return row;
  }
  if (after.lane === lanes.first) {
    const [row] = await sql.query<OutstandingLane>(
      `${select} WHERE target_id = ? AND lane = ? ${firstOfLane}`,
      [after.target_id, lanes.retry],
    );
    if (row) return row;
  }
  const [row] = await sql.query<OutstandingLane>(`${select} WHERE target_id > ? ${first}`, [after.target_id]);
  return row;
}

/** What is due, the longest due first. On MariaDB nobody else can claim them until the transaction ends. */
export async function lockDue(
  transaction: Transaction,
  { target_id, lane }: Pick<QueuedRow, "target_id" | "lane">,
  count: number,
): Promise<Pick<QueuedRow, "delivery_id" | "channel">[]> {
  const { nowMs, forUpdateSkipLocked } = dialectSql[transaction.dialect];
  return await transaction.query<Pick<QueuedRow, "delivery_id" | "channel">>(
    `SELECT delivery_id, channel FROM ${queueIndex(transaction)}
     WHERE target_id = ? AND lane = ? AND due_at <= ${nowMs}
     ORDER BY due_at, delivery_id LIMIT ? ${forUpdateSkipLocked}`,
    [target_id, lane, count],
  );
}

/** Gives locked rows to a claim that lasts so long. */
export async function holdRows(
  transaction: Transaction,
  ids: readonly string[],
  claimId: string,
  leaseMs: number,
): Promise<void> {
  await transaction.execute(
    `UPDATE ${queueRows(transaction)} SET claim_id = ?, due_at = ${fromNow(transaction, leaseMs)}
     WHERE delivery_id IN (${placeholders(ids.length)})`,
    [claimId, ...ids],
  );
}

/** What a claim says of its delivery. */
export interface DeliveryFacts {
  readonly id: string;
  readonly workspace_id: string;
  readonly event_id: string;
  readonly event: EventName;
  readonly attempt_count: number;
}

/** What claims say of these deliveries. */
export async function findFacts(sql: Sql, ids: readonly string[]): Promise<Map<string, DeliveryFacts>> {
  const from = `deliveries ${dialectSql[sql.dialect].usePrimaryKey("deliveries")}`;
  const rows = await sql.query<DeliveryFacts>(
    `SELECT id, workspace_id, event_id, event, attempt_count FROM ${from}
     WHERE id IN (${placeholders(ids.length)})`,
    ids,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

type Held = Pick<Claim, "deliveryId" | "claimId">;
const HELD = "delivery_id = ? AND claim_id = ?";

/** Takes a delivery off the queue. Gives false where the claim is lost. */
export async function removeHeld(transaction: Transaction, { deliveryId, claimId }: Held): Promise<boolean> {
  const removed = await transaction.execute(`DELETE FROM delivery_queue WHERE ${HELD}`, [
    deliveryId,
    claimId,
  ]);
  return removed === 1;
}

/** Ends a claim; the delivery is due again in so long, among the retries. Gives false where the claim is lost. */
export async function retryHeld(
  transaction: Transaction,
  { deliveryId, claimId }: Held,
  inMs: number,
): Promise<boolean> {
  const changed = await transaction.execute(
    `UPDATE delivery_queue SET claim_id = NULL, lane = ?, due_at = ${fromNow(transaction, inMs)} WHERE ${HELD}`,
    [lanes.retry, deliveryId, claimId],
  );
  return changed === 1;
}

/** Ends claims; the deliveries are due at once, in their lanes. Lost claims are passed over. */
export async function releaseHeld(
  transaction: Transaction,
  claimId: string,
  ids: readonly string[],
): Promise<void> {
  await transaction.execute(
    `UPDATE ${queueRows(transaction)} SET claim_id = NULL, due_at = ${fromNow(transaction, 0)}
     WHERE delivery_id IN (${placeholders(ids.length)}) AND claim_id = ?`,
    [...ids, claimId],
  );
}

const attemptColumns = ["delivery_id", "number", "duration_ms", "status_code", "error", "response", "at"];

/** Notes an attempt that has just ended; it began as long ago as it took. */
export async function insertAttempt(
  transaction: Transaction,
  { deliveryId, attemptCount }: Claim,
  { durationMs, statusCode, error, response }: AttemptOutcome,
): Promise<void> {
  const duration = Math.round(durationMs);
  const row = [deliveryId, attemptCount + 1, duration, statusCode, error, response];
  await insertRows(transaction, "delivery_attempts", attemptColumns, [row], {
    expression: fromNow(transaction, -duration),
  });
}

/** What an attempt changes of its delivery. */
export async function updateDelivery(
  transaction: Transaction,
  deliveryId: string,
  { status, attemptCount }: { readonly status: DeliveryStatus; readonly attemptCount: number },
): Promise<void> {
  const finishedAt = status === "pending" ? "NULL" : dialectSql[transaction.dialect].nowMs;
  await transaction.execute(
    `UPDATE deliveries SET status = ?, attempt_count = ?, finished_at = ${finishedAt} WHERE id = ?`,
    [status, attemptCount, deliveryId],
  );
}
