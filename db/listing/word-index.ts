import { createPacer } from "../../lib/pacer.ts";
import { placeholders, type Sql, type Transaction } from "../database.ts";
import { dialectSql } from "../dialect.ts";
import { ID_CHUNK_SIZES, inChunks, insertRows } from "../insert-rows.ts";
import type { WordIndex } from "./listing.ts";
import { splitWords } from "./stored-words.ts";

/** Entries that are made ready at a time. */
const BATCH = 4_096;

/** Behind every word that begins with a prefix: no letter has this code point. */
const AFTER_ALL_LETTERS = "\u{10ffff}";

/** A thing has this word. */
export interface WordEntry {
  readonly word: string;
  /** The thing's. */
  readonly id: string;
}

/** Adds entries to the index; it is quickest where those of a word stand together. */
export async function insertWords(
  transaction: Transaction,
  { table, itemColumn }: WordIndex,
  workspaceId: string,
  entries: Iterable<WordEntry>,
): Promise<void> {
  const columns = ["workspace_id", "word", itemColumn];
  let rows: [string, string, string][] = [];
  for (const { word, id } of entries) {
    rows.push([workspaceId, word, id]);
    if (rows.length < BATCH) continue;
    await insertRows(transaction, table, columns, rows);
    rows = [];
  }
  await insertRows(transaction, table, columns, rows);
}

/** Removes words of one thing. */
export async function deleteWords(
  transaction: Transaction,
  { table, itemColumn }: WordIndex,
  workspaceId: string,
  id: string,
  words: readonly string[],
): Promise<void> {
  const pause = createPacer();
  for (const chunk of inChunks(words, ID_CHUNK_SIZES)) {
    await transaction.execute(
      `DELETE FROM ${table} WHERE workspace_id = ? AND ${itemColumn} = ? AND word IN (${placeholders(chunk.length)})`,
      [workspaceId, id, ...chunk],
    );
    await pause();
  }
}

/** A row as far as the index knows it. */
export interface IndexedRow {
  readonly id: string;
  readonly workspace_id: string;
  /** As a row keeps them; null where it was never indexed. */
  readonly words: string | null;
}

/** Makes the index say of a thing what its row is about to say; `after` is the row's words to come. */
export async function replaceWords(
  transaction: Transaction,
  index: WordIndex,
  { id, workspace_id, words }: IndexedRow,
  after: string,
): Promise<void> {
  const old = new Set(splitWords(words ?? ""));
  const current = new Set(splitWords(after));
  await deleteWords(transaction, index, workspace_id, id, [...old.difference(current)]);
  const come = [...current.difference(old)];
  await insertWords(
    transaction,
    index,
    workspace_id,
    come.map((word) => ({ word, id })),
  );
}

/** How many index entries begin with the prefix, counted no further than `atMost`. */
export async function countEntries(
  sql: Sql,
  { table }: WordIndex,
  workspaceId: string,
  prefix: string,
  atMost: number,
): Promise<number> {
  const [row] = await sql.query<{ entries: number }>(
    `SELECT COUNT(*) AS entries FROM
      (SELECT 1 FROM ${table} WHERE workspace_id = ? AND word >= ? AND word < ? LIMIT ?) AS bounded`,
    [workspaceId, prefix, prefix + AFTER_ALL_LETTERS, atMost],
  );
  return row?.entries ?? 0;
}

/** The next index entries that begin with the prefix, in the index's order, behind a given one. */
export async function nextEntries(
  sql: Sql,
  { table, itemColumn }: WordIndex,
  workspaceId: string,
  prefix: string,
  after: WordEntry | undefined,
  limit: number,
): Promise<WordEntry[]> {
  const { beyond, beyondValues } = dialectSql[sql.dialect];
  const lowerBound = after ? beyond(["word", itemColumn], ">") : "word >= ?";
  const lowerValues = after ? beyondValues(after.word, after.id) : [prefix];
  return await sql.query<WordEntry>(
    `SELECT word, ${itemColumn} AS id FROM ${table} WHERE workspace_id = ? AND ${lowerBound} AND word < ?
      ORDER BY word, ${itemColumn} LIMIT ?`,
    [workspaceId, ...lowerValues, prefix + AFTER_ALL_LETTERS, limit],
  );
}
