import { placeholders, type Sql, type Transaction } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { inChunks, insertRows } from "../../db/insert-rows.ts";
import { createPacer } from "../../lib/pacer.ts";
import type { RecordRow } from "./record.entity.ts";
import type { RecordWordRow } from "./record-word.entity.ts";
import { splitWords } from "./record-words.ts";

const columns = ["workspace_id", "word", "record_id"];
const CHUNK_SIZES = [64, 8, 1];
/** Entries that are made ready at a time. */
const BATCH = 4_096;

/** Behind every word that begins with a prefix: no letter has this code point. */
const AFTER_ALL_LETTERS = "\u{10ffff}";

export type WordEntry = Pick<RecordWordRow, "word" | "record_id">;

/** Adds entries to the index; it is quickest where those of a word stand together. */
export async function insertWords(
  transaction: Transaction,
  workspaceId: string,
  entries: Iterable<WordEntry>,
): Promise<void> {
  let rows: [string, string, string][] = [];
  for (const { word, record_id } of entries) {
    rows.push([workspaceId, word, record_id]);
    if (rows.length < BATCH) continue;
    await insertRows(transaction, "record_words", columns, rows);
    rows = [];
  }
  await insertRows(transaction, "record_words", columns, rows);
}

/** Removes words of one record. */
export async function deleteWords(
  transaction: Transaction,
  workspaceId: string,
  recordId: string,
  words: readonly string[],
): Promise<void> {
  const pause = createPacer();
  for (const chunk of inChunks(words, CHUNK_SIZES)) {
    await transaction.execute(
      `DELETE FROM record_words WHERE workspace_id = ? AND record_id = ? AND word IN (${placeholders(chunk.length)})`,
      [workspaceId, recordId, ...chunk],
    );
    await pause();
  }
}

/** Makes the index say of a record what its row is about to say; `after` is the row's words to come. */
export async function replaceWords(
  transaction: Transaction,
  { id, workspace_id, words }: Pick<RecordRow, "id" | "workspace_id" | "words">,
  after: string,
): Promise<void> {
  const old = new Set(splitWords(words));
  const current = new Set(splitWords(after));
  await deleteWords(transaction, workspace_id, id, [...old.difference(current)]);
  const come = [...current.difference(old)];
  await insertWords(
    transaction,
    workspace_id,
    come.map((word) => ({ word, record_id: id })),
  );
}

/** How many index entries begin with the prefix, counted no further than `atMost`. */
export async function countEntries(
  sql: Sql,
  workspaceId: string,
  prefix: string,
  atMost: number,
): Promise<number> {
  const [row] = await sql.query<{ entries: number }>(
    `SELECT COUNT(*) AS entries FROM
      (SELECT 1 FROM record_words WHERE workspace_id = ? AND word >= ? AND word < ? LIMIT ?) AS bounded`,
    [workspaceId, prefix, prefix + AFTER_ALL_LETTERS, atMost],
  );
  return row?.entries ?? 0;
}

/** The next index entries that begin with the prefix, in the index's order, behind a given one. */
export async function nextEntries(
  sql: Sql,
  workspaceId: string,
  prefix: string,
  after: WordEntry | undefined,
  limit: number,
): Promise<WordEntry[]> {
  const { beyond, beyondValues } = dialectSql[sql.dialect];
  const lowerBound = after ? beyond(["word", "record_id"], ">") : "word >= ?";
  const lowerValues = after ? beyondValues(after.word, after.record_id) : [prefix];
  return await sql.query<WordEntry>(
    `SELECT word, record_id FROM record_words WHERE workspace_id = ? AND ${lowerBound} AND word < ?
      ORDER BY word, record_id LIMIT ?`,
    [workspaceId, ...lowerValues, prefix + AFTER_ALL_LETTERS, limit],
  );
}
