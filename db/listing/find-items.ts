import { placeholders, type Sql } from "../database.ts";
import { dialectSql } from "../dialect.ts";
import { ID_CHUNK_SIZES, inChunks } from "../insert-rows.ts";

/** The row with this id, or undefined where the workspace has none. */
export async function findItem<Row>(
  sql: Sql,
  table: string,
  columns: readonly string[],
  workspaceId: string,
  id: string,
): Promise<Row | undefined> {
  const [row] = await sql.query<Row>(
    `SELECT ${columns.join(", ")} FROM ${table} WHERE id = ? AND workspace_id = ?`,
    [id, workspaceId],
  );
  return row;
}

/** The rows with these ids that the workspace has, in the order of the ids. */
export async function findItems<Row extends { readonly id: string }>(
  sql: Sql,
  table: string,
  columns: readonly string[],
  workspaceId: string,
  ids: readonly string[],
): Promise<Row[]> {
  const from = `${table} ${dialectSql[sql.dialect].usePrimaryKey(table)}`;
  const found = new Map<string, Row>();
  for (const chunk of inChunks(ids, ID_CHUNK_SIZES)) {
    const rows = await sql.query<Row>(
      `SELECT ${columns.join(", ")} FROM ${from} WHERE id IN (${placeholders(chunk.length)}) AND workspace_id = ?`,
      [...chunk, workspaceId],
    );
    for (const row of rows) found.set(row.id, row);
  }
  return ids.map((id) => found.get(id)).filter((row) => row !== undefined);
}
