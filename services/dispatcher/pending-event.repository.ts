import type { Sql, Transaction } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { createPacer } from "../../lib/pacer.ts";
import type { PendingEventRow } from "../../mixins/pending-event.entity.ts";

/** Whether an event waits to be fanned out. A look that locks nothing, so that it can be taken often. */
export async function hasPendingEvents(sql: Sql): Promise<boolean> {
  return (await sql.query("SELECT event_id FROM pending_events LIMIT 1")).length > 0;
}

/** Events that wait, the oldest first, kept for this transaction; those that another one has are passed over. */
export async function takePendingEvents(transaction: Transaction, limit: number): Promise<PendingEventRow[]> {
  const { usePrimaryKey, forUpdateSkipLocked } = dialectSql[transaction.dialect];
  return await transaction.query<PendingEventRow>(
    `SELECT event_id, workspace_id, event, created_at FROM pending_events ${usePrimaryKey("pending_events")}
     ORDER BY event_id LIMIT ? ${forUpdateSkipLocked}`,
    [limit],
  );
}

/** Takes events that {@link takePendingEvents} gave off the list of those that wait. */
export async function deletePendingEvents(transaction: Transaction, ids: readonly string[]): Promise<void> {
  const pause = createPacer();
  // One by one: given a list of ids, MariaDB may scan a small table, and then waits for events being written.
  for (const id of ids) {
    await transaction.execute("DELETE FROM pending_events WHERE event_id = ?", [id]);
    await pause();
  }
}
