import { placeholders, type Sql, type Transaction } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { ID_CHUNK_SIZES, inChunks } from "../../db/insert-rows.ts";
import { type DeliveryStatus, lanes } from "../../lib/delivery-states.ts";

/** The status of a delivery of this registration; nobody changes it before the transaction ends. */
export async function holdStatus(
  transaction: Transaction,
  targetId: string,
  id: string,
): Promise<DeliveryStatus | undefined> {
  const { forUpdate } = dialectSql[transaction.dialect];
  const [row] = await transaction.query<{ status: DeliveryStatus }>(
    `SELECT status FROM deliveries WHERE id = ? AND target_id = ? ${forUpdate}`,
    [id, targetId],
  );
  return row?.status;
}

/**
 * Lets deliveries that have this status be attempted once more, now, in the lane of retries: new events pass
 * what is sent again by hand. The others are left as they are.
 * @returns how many there were
 */
export async function requeue(
  transaction: Transaction,
  ids: readonly string[],
  from: DeliveryStatus,
): Promise<number> {
  const { insertIgnore, nowMs, usePrimaryKey } = dialectSql[transaction.dialect];
  // Without its primary key MariaDB might read, and wait for, rows that others hold.
  const deliveries = `deliveries ${usePrimaryKey("deliveries")}`;
  let count = 0;
  for (const chunk of inChunks(ids, ID_CHUNK_SIZES)) {
    const among = `id IN (${placeholders(chunk.length)})`;
    const changed = await transaction.execute(
      `UPDATE ${deliveries} SET status = 'pending', finished_at = NULL WHERE ${among} AND status = ?`,
      [...chunk, from],
    );
    count += changed;
    if (changed === 0) continue;
    // Where one of them was pending already it is in the queue, and stays as it is there.
    await transaction.execute(
      `${insertIgnore} INTO delivery_queue (delivery_id, channel, target_id, lane, due_at, claim_id) ` +
        `SELECT id, channel, target_id, ${lanes.retry}, ${nowMs}, NULL FROM ${deliveries} ` +
        `WHERE ${among} AND status = 'pending'`,
      chunk,
    );
  }
  return count;
}

/** Failed deliveries of a registration and an event, those made last first. */
export async function findFailed(
  sql: Sql,
  { targetId, event, before }: { targetId: string; event: string; before: string | undefined },
  limit: number,
): Promise<{ id: string; created_at: number }[]> {
  const from = `deliveries ${dialectSql[sql.dialect].useIndex("deliveries_status")}`;
  const behind = before === undefined ? "" : "AND id < ?";
  return await sql.query<{ id: string; created_at: number }>(
    `SELECT id, created_at FROM ${from} WHERE target_id = ? AND status = 'failed' AND event = ? ${behind} ` +
      "ORDER BY id DESC LIMIT ?",
    [targetId, event, ...(before === undefined ? [] : [before]), limit],
  );
}
