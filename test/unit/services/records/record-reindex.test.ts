import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import { type Database, placeholders } from "../../../../db/database.ts";
import { reindex } from "../../../../db/listing/reindex.ts";
import { readSetting, writeSetting } from "../../../../db/setting.repository.ts";
import { NORMALISER_VERSION } from "../../../../lib/search-words.ts";
import type { RecordResource } from "../../../../services/records/record.schema.ts";
import { reindexedRecords } from "../../../../services/records/record-listing.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { type IssuedStatement, watchDatabase } from "../../../support/watched-sql.ts";
import { dumpTables } from "./support/table-dump.ts";
import { newTestWorkspace, type TestWorkspace } from "./support/test-workspace.ts";

/** Records of each of two workspaces: several of the batches in which the index is mended. */
const RECORDS = 75;
const never = new AbortController().signal;

const reindexRecords = async (database: Database, signal: AbortSignal, version?: string) =>
  (await reindex(database, reindexedRecords, signal, version)).looked;

describeOnBothDatabases("mending the search index", (open) => {
  let database: Database;
  let workspace: TestWorkspace;
  let other: TestWorkspace;
  let created: RecordResource[];

  /** Aborted at the transaction that comes after so many. */
  const abortedAfter = (transactions: number): { database: Database; signal: AbortSignal } => {
    const abort = new AbortController();
    let count = 0;
    return {
      signal: abort.signal,
      database: {
        ...database,
        transaction: async (work) => {
          const result = await database.transaction(work);
          count += 1;
          if (count === transactions) abort.abort();
          return result;
        },
      },
    };
  };

  /** What another normaliser would have written: rows and index agree, but on other words. */
  const spoil = async (ids: readonly string[]): Promise<void> => {
    await database.transaction(async (transaction) => {
      const list = placeholders(ids.length);
      await transaction.execute(`UPDATE records SET words = ' old zebra' WHERE id IN (${list})`, ids);
      await transaction.execute(`DELETE FROM record_words WHERE record_id IN (${list})`, ids);
      for (const word of ["old", "zebra"]) {
        await transaction.execute(
          `INSERT INTO record_words (workspace_id, word, record_id)
            SELECT workspace_id, '${word}', id FROM records WHERE id IN (${list})`,
          ids,
        );
      }
    });
  };

  const setVersion = (version: string) =>
    database.transaction((transaction) => writeSetting(transaction, "search.version", version));
  const dumps = () => Promise.all([workspace, other].map(({ caller }) => dumpTables(database.read, caller)));
  const idsOf = (records: readonly RecordResource[]) => records.map(({ id }) => id);

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    await database.transaction(async (transaction) => {
      for (const table of ["records", "record_words", "record_counts", "settings"]) {
        await transaction.execute(`DELETE FROM ${table}`);
      }
    });
    workspace = newTestWorkspace(database);
    other = newTestWorkspace(database);
    created = [];
    for (const { caller, writer } of [workspace, other]) {
      const records = Array.from({ length: RECORDS }, (_, at) => ({
        name: `Zebra ${at}`,
        type: "note",
        fields: { a: "数据库 Ё", b: at % 2 === 0 ? "even" : "" },
      }));
      created.push(...(await writer.createMany(caller, records)).items);
    }
    await reindexRecords(database, never);
  });

  test("notes the version on an empty database, and has nothing to do", async () => {
    const empty = await open();
    expect(await reindexRecords(empty, never)).toBe(0);
    expect(await readSetting(empty.read, "search.version")).toBe(NORMALISER_VERSION);
  });

  test("looks at nothing where the index is up to date", async () => {
    const before = await dumps();
    const issued: IssuedStatement[] = [];
    expect(await reindexRecords(watchDatabase(database, issued), never)).toBe(0);
    expect(issued).toHaveLength(1);
    expect(await dumps()).toEqual(before);
  });

  test("puts right what another version wrote, in all workspaces, and tells nobody", async () => {
    const right = await dumps();
    await spoil(idsOf(created).filter((_, at) => at % 3 !== 0));
    expect(await dumps()).not.toEqual(right);
    await setVersion("0/other");
    expect(await reindexRecords(database, never)).toBe(2 * RECORDS);
    expect(await dumps()).toEqual(right);
    expect(await readSetting(database.read, "search.version")).toBe(NORMALISER_VERSION);
    expect(await reindexRecords(database, never)).toBe(0);
  });

  test("makes found what was not, and unfinds what was", async () => {
    const { list } = workspace;
    await spoil(idsOf(created));
    await setVersion("0/other");
    expect(await list({ q: "数据库" })).toMatchObject({ total: 0 });
    expect(await list({ q: "old" })).toMatchObject({ total: RECORDS });
    await reindexRecords(database, never);
    expect(await list({ q: "数据库" })).toMatchObject({ total: RECORDS });
    expect(await list({ q: "old" })).toMatchObject({ total: 0 });
  });

  test("goes on where it was stopped, and does not look twice", async () => {
    const right = await dumps();
    await spoil(idsOf(created));
    await setVersion("0/other");
    const stopped = abortedAfter(3);
    const first = await reindexRecords(stopped.database, stopped.signal);
    expect(first).toBeGreaterThan(0);
    expect(first).toBeLessThan(2 * RECORDS);
    expect(await readSetting(database.read, "search.version")).not.toBe(NORMALISER_VERSION);
    expect(await reindexRecords(database, never)).toBe(2 * RECORDS - first);
    expect(await dumps()).toEqual(right);
  });

  test("takes records of very many words one at a time, so that others can write between them", async () => {
    const words = Array.from({ length: 2_500 }, (_, at) => (at + 1_296).toString(36)).join(" ");
    await workspace.writer.removeMany(workspace.caller, idsOf(created.slice(0, RECORDS)));
    await other.writer.removeMany(other.caller, idsOf(created.slice(RECORDS)));
    const large: RecordResource[] = [];
    for (let at = 0; at < 3; at += 1) large.push(await workspace.create({ fields: splitInTwo(words) }));
    const right = await dumps();
    await spoil(idsOf(large));
    await setVersion("0/other");
    const stopped = abortedAfter(2);
    expect(await reindexRecords(stopped.database, stopped.signal)).toBe(1);
    expect(await reindexRecords(database, never)).toBe(2);
    expect(await dumps()).toEqual(right);
  });

  test("does nothing where it is stopped before it begins", async () => {
    await spoil(idsOf(created));
    await setVersion("0/other");
    const before = await dumps();
    expect(await reindexRecords(database, AbortSignal.abort())).toBe(0);
    expect(await dumps()).toEqual(before);
  });

  test("begins anew for another version than the one that was stopped", async () => {
    await setVersion("0/other");
    const stopped = abortedAfter(3);
    await reindexRecords(stopped.database, stopped.signal, "2/newer");
    expect(await reindexRecords(database, never)).toBe(2 * RECORDS);
  });

  test("puts right what a newer version began, when the older one comes back", async () => {
    const right = await dumps();
    const stopped = abortedAfter(3);
    expect(await reindexRecords(stopped.database, stopped.signal, "2/newer")).toBeGreaterThan(0);
    await spoil(idsOf(created).slice(0, 50));
    await reindexRecords(database, never);
    expect(await dumps()).toEqual(right);
  });

  test("puts right what a newer version wrote that had not yet begun to mend", async () => {
    const right = await dumps();
    await reindexRecords(database, AbortSignal.abort(), "2/newer");
    await spoil(idsOf(created).slice(0, 50));
    await reindexRecords(database, never);
    expect(await dumps()).toEqual(right);
  });

  test("leaves alone what was removed meanwhile, and keeps what was changed meanwhile", async () => {
    const { caller, writer, list } = workspace;
    await spoil(idsOf(created));
    await setVersion("0/other");
    const [removedId = "", changedId = ""] = idsOf(created);
    // Right after the first look at the list of what is to mend, before the first row is locked.
    const racing: Database = {
      ...database,
      transaction: async (work) => {
        await writer.remove(caller, removedId).catch(() => {});
        await writer.update(caller, { id: changedId, name: "okapi" });
        return await database.transaction(work);
      },
    };
    await reindexRecords(racing, never);
    expect(await list({ q: "okapi" })).toMatchObject({ items: [{ id: changedId }], total: 1 });
    expect(await list({ q: "zebra" })).toMatchObject({ total: RECORDS - 2 });
    expect(await list({ q: "old" })).toMatchObject({ total: 0 });
  });

  test("may run twice at once", async () => {
    const right = await dumps();
    await spoil(idsOf(created));
    await setVersion("0/other");
    await Promise.all([reindexRecords(database, never), reindexRecords(database, never)]);
    expect(await dumps()).toEqual(right);
  });
});

/** A text as the two field values that are long enough for it. */
function splitInTwo(text: string): Record<string, string> {
  const middle = text.indexOf(" ", text.length / 2);
  return { first: text.slice(0, middle), second: text.slice(middle + 1) };
}
