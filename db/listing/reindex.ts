import { createPacer } from "../../lib/pacer.ts";
import { NORMALISER_VERSION } from "../../lib/search-words.ts";
import type { Database, Sql, Transaction } from "../database.ts";
import { dialectSql } from "../dialect.ts";
import { readSetting, type SettingName, writeSetting } from "../setting.repository.ts";
import type { Listing } from "./listing.ts";
import { joinWords, splitWords } from "./stored-words.ts";
import { type IndexedRow, replaceWords } from "./word-index.ts";

/** Rows that a transaction looks at, and index entries at which it ends: writes of clients hardly wait. */
const BATCH = 50;
const ENOUGH_CHANGES = 2_000;

/** A search index that has to follow the program's normaliser. */
export interface ReindexedListing<Row extends IndexedRow> {
  readonly listing: Listing;
  /** Under which names the database remembers of which version the index is, and how far a run has come. */
  readonly settings: { readonly version: SettingName; readonly reindexed: SettingName };
  /** The row, kept from others' changes until the transaction ends; undefined where it has gone. */
  readonly lock: (transaction: Transaction, workspaceId: string, id: string) => Promise<Row | undefined>;
  /** The texts that the row is found by. */
  readonly texts: (row: Row) => readonly string[];
}

/**
 * Brings a search index to this program's normaliser. Character data comes with the runtime: after an
 * upgrade the words of old rows may not be those that a query asks for. Goes on where an earlier run stopped,
 * and does nothing where the index is up to date.
 * @param signal ends the work between two batches
 * @returns the number of rows that were looked at, and of those whose words had to be others
 */
export async function reindex<Row extends IndexedRow>(
  database: Database,
  index: ReindexedListing<Row>,
  signal: AbortSignal,
  version: string = NORMALISER_VERSION,
): Promise<ReindexResult> {
  const { listing, settings } = index;
  const result = { looked: 0, mended: 0 };
  if ((await readSetting(database.read, settings.version)) === version) return result;
  let afterId = await beginOrGoOn(database, index, version);
  while (!signal.aborted) {
    const batch = await nextRows(database.read, listing.table, afterId);
    const { lastId, looked, mended } = await database.transaction(async (transaction) => {
      const progress = await mend(transaction, index, batch);
      const reached = progress.lastId === undefined ? "" : `${version} ${progress.lastId}`;
      await writeSetting(transaction, settings.reindexed, reached);
      if (progress.lastId === undefined) await writeSetting(transaction, settings.version, version);
      return progress;
    });
    result.looked += looked;
    result.mended += mended;
    if (lastId === undefined) break;
    afterId = lastId;
  }
  return result;
}

/**
 * Gives the id at which an earlier run of this version stopped; empty for the beginning. From there on the
 * index is no longer that of the version before, and should that one come back, it has to mend it again.
 */
async function beginOrGoOn<Row extends IndexedRow>(
  database: Database,
  { settings }: ReindexedListing<Row>,
  version: string,
): Promise<string> {
  const [begunVersion, id = ""] = (await readSetting(database.read, settings.reindexed))?.split(" ") ?? [];
  if (begunVersion === version) return id;
  await database.transaction(async (transaction) => {
    await writeSetting(transaction, settings.version, "");
    await writeSetting(transaction, settings.reindexed, `${version} `);
  });
  return "";
}

type RowId = Pick<IndexedRow, "id" | "workspace_id">;

/** The next rows of all workspaces in the order of ids. */
async function nextRows(sql: Sql, table: string, afterId: string): Promise<RowId[]> {
  return await sql.query(
    `SELECT id, workspace_id FROM ${table} ${dialectSql[sql.dialect].usePrimaryKey(table)}
      WHERE id > ? ORDER BY id LIMIT ?`,
    [afterId, BATCH],
  );
}

export interface ReindexResult {
  readonly looked: number;
  readonly mended: number;
}

interface Progress extends ReindexResult {
  /** Of the rows that were looked at; undefined where there was none. */
  readonly lastId: string | undefined;
}

/** Mends the first rows of a batch, as many as one transaction may. */
async function mend<Row extends IndexedRow>(
  transaction: Transaction,
  { listing, lock, texts }: ReindexedListing<Row>,
  batch: readonly RowId[],
): Promise<Progress> {
  const pause = createPacer();
  const outdated: { row: Row; words: string }[] = [];
  let looked = 0;
  let changes = 0;
  for (const { id, workspace_id } of batch) {
    const row = await lock(transaction, workspace_id, id);
    looked += 1;
    await pause();
    const words = row && joinWords(texts(row));
    if (!row || words === undefined || words === row.words) continue;
    outdated.push({ row, words });
    changes += splitWords(row.words ?? "").length + splitWords(words).length;
    if (changes >= ENOUGH_CHANGES) break;
  }
  transaction.expectChanges(changes);
  for (const { row, words } of outdated) {
    await replaceWords(transaction, listing.index, row, words);
    await transaction.execute(`UPDATE ${listing.table} SET words = ? WHERE id = ?`, [words, row.id]);
  }
  return { lastId: batch[looked - 1]?.id, looked, mended: outdated.length };
}
