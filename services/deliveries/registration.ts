import type { Sql, Transaction } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { notFound } from "../../lib/errors.ts";

const select = "SELECT id FROM webhooks WHERE id = ? AND workspace_id = ?";

/** Throws 404 where the workspace has no registration with the id. */
export async function demandRegistration(sql: Sql, workspaceId: string, id: string): Promise<void> {
  const rows = await sql.query<{ id: string }>(select, [id, workspaceId]);
  if (rows.length === 0) throw notFound("webhook");
}

/** The same; and the registration cannot be removed, and what waits for it cancelled, before the transaction ends. */
export async function holdRegistration(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<void> {
  const { forShare } = dialectSql[transaction.dialect];
  const rows = await transaction.query<{ id: string }>(`${select} ${forShare}`, [id, workspaceId]);
  if (rows.length === 0) throw notFound("webhook");
}
