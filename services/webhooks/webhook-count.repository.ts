import type { Sql, Transaction } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { insertRows } from "../../db/insert-rows.ts";

/** How many registrations a workspace has. */
export async function countWebhooks(sql: Sql, workspaceId: string): Promise<number> {
  const [row] = await sql.query<{ count: number }>(
    "SELECT count FROM webhook_counts WHERE workspace_id = ?",
    [workspaceId],
  );
  return row?.count ?? 0;
}

/**
 * Counts a registration that comes or goes. From then on until the transaction ends nobody else can, so what
 * {@link countWebhooks} says within it is what will be.
 */
export async function addToCount(transaction: Transaction, workspaceId: string, by: 1 | -1): Promise<void> {
  await insertRows(transaction, "webhook_counts", ["workspace_id", "count"], [[workspaceId, by]], {
    suffix: dialectSql[transaction.dialect].addOnConflict(["workspace_id"], "count"),
  });
}
