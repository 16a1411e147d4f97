import type { Sql, SqlValue, Transaction } from "../../db/database.ts";
import { insertRows } from "../../db/insert-rows.ts";
import type { WorkspaceRow } from "./workspace.entity.ts";

export async function insertWorkspace(transaction: Transaction, row: WorkspaceRow): Promise<void> {
  await insertRows(transaction, "workspaces", Object.keys(row), [Object.values(row)]);
}

export async function hasWorkspaces(sql: Sql): Promise<boolean> {
  return (await sql.query("SELECT 1 FROM workspaces LIMIT 1")).length > 0;
}

export interface WorkspaceFilter {
  /** An id: only workspaces made earlier. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Workspaces, the newest first. */
export async function listWorkspaces(sql: Sql, { before, limit }: WorkspaceFilter): Promise<WorkspaceRow[]> {
  const parameters: SqlValue[] = before === undefined ? [limit] : [before, limit];
  return await sql.query<WorkspaceRow>(
    `SELECT id, name, created_at FROM workspaces ${before === undefined ? "" : "WHERE id < ?"}
      ORDER BY id DESC LIMIT ?`,
    parameters,
  );
}
