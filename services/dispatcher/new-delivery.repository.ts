import { placeholders, type SqlValue, type Transaction } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { ID_CHUNK_SIZES, inChunks, insertRows } from "../../db/insert-rows.ts";
import { lanes } from "../../lib/delivery-states.ts";
import { createPacer } from "../../lib/pacer.ts";
import type { DeliveryRow } from "./delivery.entity.ts";

/** A delivery that nobody has attempted; when it was made, the database says. */
export type NewDelivery = Pick<
  DeliveryRow,
  "id" | "workspace_id" | "event_id" | "event" | "channel" | "target_id"
>;
const columns = [
  "id",
  "workspace_id",
  "event_id",
  "event",
  "channel",
  "target_id",
] as const satisfies readonly (keyof NewDelivery)[];

/** Index entries that one delivery and its place in the queue change. */
export const ENTRIES_PER_DELIVERY = 7;

/** Makes deliveries that are due at once. An event that goes to a target already does not go there again. */
export async function insertDeliveries(
  transaction: Transaction,
  deliveries: readonly NewDelivery[],
): Promise<void> {
  const { insertIgnore, nowMs, usePrimaryKey } = dialectSql[transaction.dialect];
  const rows = deliveries.map((delivery): SqlValue[] => [
    ...columns.map((column) => delivery[column]),
    "pending",
    0,
  ]);
  const allColumns = [...columns, "status", "attempt_count", "created_at"];
  await insertRows(transaction, "deliveries", allColumns, rows, { verb: insertIgnore, expression: nowMs });
  const ids = deliveries.map(({ id }) => id);
  const pause = createPacer();
  for (const chunk of inChunks(ids, ID_CHUNK_SIZES)) {
    // Only what is there now: what was passed over has its place in the queue, or has been sent.
    await transaction.execute(
      `INSERT INTO delivery_queue (delivery_id, channel, target_id, lane, due_at)
       SELECT id, channel, target_id, ${lanes.first}, created_at FROM deliveries ${usePrimaryKey("deliveries")}
       WHERE id IN (${placeholders(chunk.length)})`,
      chunk,
    );
    await pause();
  }
}
