import type { Sql, Transaction } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { insertRows } from "../../db/insert-rows.ts";
import type { ListPart } from "../../lib/optional-page.ts";
import type { WebhookRow } from "./webhook.entity.ts";

/** What the interface shows of a registration. */
export type ShownRow = Pick<WebhookRow, "id" | "url" | "events" | "status" | "created_at">;
const shownColumns = "id, url, events, status, created_at";

/** All that the program writes; since when it stands, the database says. */
export type NewRow = Omit<WebhookRow, "stands_since">;
const columns = [
  "id",
  "workspace_id",
  "url",
  "events",
  "status",
  "secret",
  "created_at",
] as const satisfies readonly (keyof NewRow)[];

/** A part of a workspace's registrations, the oldest first. */
export async function findWebhooks(
  sql: Sql,
  workspaceId: string,
  { offset, limit }: ListPart,
): Promise<ShownRow[]> {
  const from = `webhooks ${dialectSql[sql.dialect].useIndex("webhooks_workspace_id")}`;
  const select = `SELECT ${shownColumns} FROM ${from} WHERE workspace_id = ? ORDER BY id`;
  if (limit === undefined) return await sql.query<ShownRow>(select, [workspaceId]);
  return await sql.query<ShownRow>(`${select} LIMIT ? OFFSET ?`, [workspaceId, limit, offset]);
}

export async function insertWebhook(transaction: Transaction, row: NewRow): Promise<void> {
  const values = columns.map((column) => row[column]);
  await insertRows(transaction, "webhooks", [...columns, "stands_since"], [values], {
    expression: dialectSql[transaction.dialect].nowMs,
  });
}

/** Removes a registration. Gives false where this workspace has none with the id. */
export async function deleteWebhook(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<boolean> {
  const removed = await transaction.execute("DELETE FROM webhooks WHERE id = ? AND workspace_id = ?", [
    id,
    workspaceId,
  ]);
  return removed > 0;
}
