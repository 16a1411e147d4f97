import type { Sql, Transaction } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { insertRows } from "../../db/insert-rows.ts";
import type { IntegrationRow } from "./integration.entity.ts";

/** What the interface shows of an integration. */
export type ShownRow = Pick<IntegrationRow, "id" | "type" | "status" | "config" | "connected_at">;
const shownColumns = "id, type, status, config, connected_at";

/** All that the program writes; since when it stands, the database says. */
export type StoredRow = Omit<IntegrationRow, "stands_since">;
const columns = [
  "id",
  "workspace_id",
  "type",
  "status",
  "config",
  "credentials",
  "connected_at",
  "created_at",
  "updated_at",
] as const satisfies readonly (keyof StoredRow)[];

/** All integrations of a workspace, the oldest first: at most one of each type. */
export async function findIntegrations(sql: Sql, workspaceId: string): Promise<ShownRow[]> {
  const from = `integrations ${dialectSql[sql.dialect].useIndex("integrations_type")}`;
  return await sql.query<ShownRow>(`SELECT ${shownColumns} FROM ${from} WHERE workspace_id = ? ORDER BY id`, [
    workspaceId,
  ]);
}

/** The integration, or undefined where this workspace has none with the id. */
export async function findIntegration(
  sql: Sql,
  workspaceId: string,
  id: string,
): Promise<ShownRow | undefined> {
  const [row] = await sql.query<ShownRow>(
    `SELECT ${shownColumns} FROM integrations WHERE id = ? AND workspace_id = ?`,
    [id, workspaceId],
  );
  return row;
}

/** The whole row, kept from others' changes until the transaction ends; undefined where there is none. */
export async function lockIntegration(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<StoredRow | undefined> {
  const [row] = await transaction.query<StoredRow>(
    `SELECT ${columns.join(", ")} FROM integrations WHERE id = ? AND workspace_id = ?
      ${dialectSql[transaction.dialect].forUpdate}`,
    [id, workspaceId],
  );
  return row;
}

/** @throws UniqueViolation where the workspace has one of this type */
export async function insertIntegration(transaction: Transaction, row: StoredRow): Promise<void> {
  const values = columns.map((column) => row[column]);
  await insertRows(transaction, "integrations", [...columns, "stands_since"], [values], {
    expression: dialectSql[transaction.dialect].nowMs,
  });
}

/** Writes everything of an integration that its client can change. */
export async function updateIntegration(transaction: Transaction, row: StoredRow): Promise<void> {
  await transaction.execute(
    "UPDATE integrations SET config = ?, credentials = ?, updated_at = ? WHERE id = ?",
    [row.config, row.credentials, row.updated_at, row.id],
  );
}

export async function deleteIntegration(transaction: Transaction, id: string): Promise<void> {
  await transaction.execute("DELETE FROM integrations WHERE id = ?", [id]);
}
