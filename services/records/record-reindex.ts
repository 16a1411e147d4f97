import type { Database, Transaction } from "../../db/database.ts";
import { readSetting, writeSetting } from "../../db/setting.repository.ts";
import { createPacer } from "../../lib/pacer.ts";
import { NORMALISER_VERSION } from "../../lib/search-words.ts";
import type { RecordRow } from "./record.entity.ts";
import { lockRecords, nextRecords, updateRecordWords } from "./record.repository.ts";
import { readFields } from "./record-view.ts";
import { replaceWords } from "./record-word.repository.ts";
import { findableWords, splitWords } from "./record-words.ts";

/** Records that a transaction looks at, and index entries at which it ends: writes of clients hardly wait. */
const BATCH = 50;
const ENOUGH_CHANGES = 2_000;

/**
 * Brings the search index to this program's normaliser. Character data comes with the runtime: after an
 * upgrade the words of old records may not be those that a query asks for. Goes on where an earlier run
 * stopped, and does nothing where the index is up to date.
 * @param signal ends the work between two batches
 * @returns the number of records that were looked at
 */
export async function reindexRecords(
  database: Database,
  signal: AbortSignal,
  version: string = NORMALISER_VERSION,
): Promise<number> {
  if ((await readSetting(database.read, "search.version")) === version) return 0;
  let afterId = await beginOrGoOn(database, version);
  let count = 0;
  while (!signal.aborted) {
    const batch = await nextRecords(database.read, afterId, BATCH);
    const done = await database.transaction(async (transaction) => {
      const mended = await mend(transaction, batch);
      const last = mended.at(-1);
      await writeSetting(transaction, "search.reindexed", last ? `${version} ${last.id}` : "");
      if (!last) await writeSetting(transaction, "search.version", version);
      return mended;
    });
    count += done.length;
    const last = done.at(-1);
    if (!last) break;
    afterId = last.id;
  }
  return count;
}

/**
 * Gives the id at which an earlier run of this version stopped; empty for the beginning. From there on the
 * index is no longer that of the version before, and should that one come back, it has to mend it again.
 */
async function beginOrGoOn(database: Database, version: string): Promise<string> {
  const [begunVersion, id = ""] = (await readSetting(database.read, "search.reindexed"))?.split(" ") ?? [];
  if (begunVersion === version) return id;
  await database.transaction(async (transaction) => {
    await writeSetting(transaction, "search.version", "");
    await writeSetting(transaction, "search.reindexed", `${version} `);
  });
  return "";
}

type RecordId = Pick<RecordRow, "id" | "workspace_id">;

/** Mends the first records of a batch, as many as one transaction may, and gives those that it looked at. */
async function mend(transaction: Transaction, batch: readonly RecordId[]): Promise<readonly RecordId[]> {
  const pause = createPacer();
  const outdated: { row: RecordRow; words: string }[] = [];
  let looked = 0;
  let changes = 0;
  for (const { id, workspace_id } of batch) {
    const [row] = await lockRecords(transaction, workspace_id, [id]);
    looked += 1;
    await pause();
    const words = row && findableWords(row.name, readFields(row.fields));
    if (!row || words === undefined || words === row.words) continue;
    outdated.push({ row, words });
    changes += splitWords(row.words).length + splitWords(words).length;
    if (changes >= ENOUGH_CHANGES) break;
  }
  transaction.expectChanges(changes);
  for (const { row, words } of outdated) {
    await replaceWords(transaction, row, words);
    await updateRecordWords(transaction, row.id, words);
  }
  return batch.slice(0, looked);
}
