import { placeholders, type Transaction } from "../db/database.ts";
import { dialectSql } from "../db/dialect.ts";
import { ID_CHUNK_SIZES, inChunks } from "../db/insert-rows.ts";
import { createPacer } from "../lib/pacer.ts";

/** Deliveries that are cancelled at a time. */
const BATCH = 512;
/** Index entries that cancelling one changes: its row on the queue and the delivery itself, with their indexes. */
const CHANGES_PER_DELIVERY = 5;

/**
 * Takes whatever waits for a target, or is being sent to it, off the queue: to be called in the transaction that
 * removes the target. Nothing of it can be claimed then, and no claim of it can record anything. Deliveries that
 * have ended stay as they are.
 *
 * A delivery that is made of an older event while this goes on is not found here: whoever sends reads the
 * target right before, and finds it gone.
 */
export async function cancelDeliveries(transaction: Transaction, targetId: string): Promise<void> {
  const pause = createPacer();
  for (;;) {
    const ids = await findQueued(transaction, targetId);
    if (ids.length === 0) return;
    transaction.expectChanges(ids.length * CHANGES_PER_DELIVERY);
    for (const chunk of inChunks(ids, ID_CHUNK_SIZES)) {
      await cancel(transaction, chunk);
      await pause();
    }
  }
}

/** Read without locks: rows are locked by their ids alone, in the order in which dispatchers do it. */
async function findQueued(transaction: Transaction, targetId: string): Promise<string[]> {
  const { useIndex } = dialectSql[transaction.dialect];
  const rows = await transaction.query<{ delivery_id: string }>(
    `SELECT delivery_id FROM delivery_queue ${useIndex("delivery_queue_due")} WHERE target_id = ? LIMIT ${BATCH}`,
    [targetId],
  );
  return rows.map(({ delivery_id }) => delivery_id);
}

/**
 * MariaDB may go over all of a small queue to delete from it, and waits then for what others hold; they hold it
 * for moments only.
 */
async function cancel(transaction: Transaction, ids: readonly string[]): Promise<void> {
  const { usePrimaryKey, nowMs } = dialectSql[transaction.dialect];
  const marks = placeholders(ids.length);
  await transaction.execute(`DELETE FROM delivery_queue WHERE delivery_id IN (${marks})`, ids);
  await transaction.execute(
    `UPDATE deliveries ${usePrimaryKey("deliveries")} SET status = 'cancelled', finished_at = ${nowMs}
     WHERE id IN (${marks}) AND status = 'pending'`,
    ids,
  );
}
