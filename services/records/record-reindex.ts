import type { Database, Transaction } from "../../db/database.ts";
import { readSetting, writeSetting } from "../../db/setting.repository.ts";
import { NORMALISER_VERSION } from "../../lib/search-words.ts";
import { lockRecords, nextRecords, updateRecordWords } from "./record.repository.ts";
import { readFields } from "./record-view.ts";
import { replaceWords } from "./record-word.repository.ts";
import { findableWords } from "./record-words.ts";

/** Records a transaction: short enough that writes of clients hardly wait. */
const BATCH = 50;

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
    await database.transaction(async (transaction) => {
      for (const { id, workspace_id } of batch) await reindex(transaction, workspace_id, id);
      const last = batch.at(-1);
      await writeSetting(transaction, "search.reindexed", last ? `${version} ${last.id}` : "");
      if (!last) await writeSetting(transaction, "search.version", version);
    });
    count += batch.length;
    const last = batch.at(-1);
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

async function reindex(transaction: Transaction, workspaceId: string, id: string): Promise<void> {
  const [row] = await lockRecords(transaction, workspaceId, [id]);
  if (!row) return;
  const words = findableWords(row.name, readFields(row.fields));
  if (words === row.words) return;
  await replaceWords(transaction, row, words);
  await updateRecordWords(transaction, id, words);
}
