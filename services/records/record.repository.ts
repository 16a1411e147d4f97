import { placeholders, type Sql, type Transaction } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { ID_CHUNK_SIZES, inChunks, insertRows } from "../../db/insert-rows.ts";
import { findItem, findItems } from "../../db/listing/find-items.ts";
import { createPacer } from "../../lib/pacer.ts";
import type { RecordRow } from "./record.entity.ts";

const columns = [
  "id",
  "workspace_id",
  "name",
  "type",
  "status",
  "created_at",
  "updated_at",
  "words",
  "tags",
  "fields",
] as const satisfies readonly (keyof RecordRow)[];

/** What the interface shows of a record: all but what the search keeps for itself. */
export type ShownRow = Omit<RecordRow, "workspace_id" | "words">;
const shownColumns = ["id", "name", "type", "status", "created_at", "updated_at", "tags", "fields"] as const;

/** The record, or undefined where this workspace has none with the id. */
export async function findRecord(sql: Sql, workspaceId: string, id: string): Promise<ShownRow | undefined> {
  return await findItem<ShownRow>(sql, "records", shownColumns, workspaceId, id);
}

/** The records with these ids that the workspace has, in the order of the ids. */
export async function findRecords(
  sql: Sql,
  workspaceId: string,
  ids: readonly string[],
): Promise<ShownRow[]> {
  return await findItems<ShownRow>(sql, "records", shownColumns, workspaceId, ids);
}

/** The whole rows with these ids that the workspace has, kept from others' changes until the transaction ends. */
export async function lockRecords(
  transaction: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<RecordRow[]> {
  const { forUpdate, usePrimaryKey } = dialectSql[transaction.dialect];
  const pause = createPacer();
  const rows: RecordRow[] = [];
  // In the order of ids, so that two transactions that lock the same rows do not wait for each other.
  for (const chunk of inChunks(ids.toSorted(), ID_CHUNK_SIZES)) {
    const found = await transaction.query<RecordRow>(
      `SELECT ${columns.join(", ")} FROM records ${usePrimaryKey("records")}
        WHERE id IN (${placeholders(chunk.length)}) AND workspace_id = ? ORDER BY id ${forUpdate}`,
      [...chunk, workspaceId],
    );
    rows.push(...found);
    await pause();
  }
  return rows;
}

export async function insertRecords(transaction: Transaction, rows: readonly RecordRow[]): Promise<void> {
  await insertRows(
    transaction,
    "records",
    columns,
    rows.map((row) => columns.map((column) => row[column])),
  );
}

/** Writes everything of a record that can change. */
export async function updateRecord(transaction: Transaction, row: RecordRow): Promise<void> {
  await transaction.execute(
    "UPDATE records SET name = ?, status = ?, updated_at = ?, words = ?, tags = ?, fields = ? WHERE id = ?",
    [row.name, row.status, row.updated_at, row.words, row.tags, row.fields, row.id],
  );
}

export async function deleteRecords(transaction: Transaction, ids: readonly string[]): Promise<void> {
  const pause = createPacer();
  // One by one: given a list of ids, MariaDB may scan a small table, and then waits for rows of others.
  for (const id of ids) {
    await transaction.execute("DELETE FROM records WHERE id = ?", [id]);
    await pause();
  }
}
