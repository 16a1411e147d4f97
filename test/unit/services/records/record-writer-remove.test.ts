import { beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { dumpTables } from "./support/table-dump.ts";
import { newTestWorkspace, unknownId } from "./support/test-workspace.ts";

describeOnBothDatabases("removing records", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  test("removes the record, its words and its count, and leaves the others", async () => {
    const { caller, writer, create, get, list } = newTestWorkspace(database);
    const kept = await create({ name: "Kept zebra" });
    const keptOnly = await dumpTables(database.read, caller);
    const gone = await create({ name: "Gone zebra", type: "task" });

    await writer.remove(caller, gone.id);

    await expect(get(gone.id)).rejects.toMatchObject({ code: 404, type: "not_found" });
    expect((await list()).items).toEqual([kept]);
    expect((await list({ q: "zebra" })).items).toEqual([kept]);
    const { events: _events, pending: _pending, ...rows } = await dumpTables(database.read, caller);
    expect(rows).toEqual({ records: keptOnly.records, words: keptOnly.words, counts: keptOnly.counts });
  });

  test("leaves nothing of the last record, whatever its status was", async () => {
    const { caller, writer, create } = newTestWorkspace(database);
    for (const status of ["active", "archived", "draft"] as const) {
      const { id } = await create({ fields: { a: "some words", b: "数据库 😀" } });
      await writer.update(caller, { id, status });
      await writer.remove(caller, id);
    }
    const { records, words, counts } = await dumpTables(database.read, caller);
    expect({ records, words, counts }).toEqual({ records: [], words: [], counts: [] });
  });

  test("finds nothing to remove a second time", async () => {
    const { caller, writer, create } = newTestWorkspace(database);
    const { id } = await create();
    await writer.remove(caller, id);
    const before = await dumpTables(database.read, caller);
    await expect(writer.remove(caller, id)).rejects.toMatchObject({ code: 404, type: "not_found" });
    expect(await dumpTables(database.read, caller)).toEqual(before);
  });

  test("answers another workspace's id exactly as one that does not exist, and leaves it there", async () => {
    const theirs = newTestWorkspace(database);
    const { id } = await theirs.create();
    const before = await dumpTables(database.read, theirs.caller);
    const { caller, writer, notices } = newTestWorkspace(database);
    const refused = await writer.remove(caller, id).catch((error) => error);
    expect(refused).toMatchObject({ code: 404, type: "not_found" });
    expect(await writer.remove(caller, unknownId()).catch((error) => error)).toEqual(refused);
    expect(await dumpTables(database.read, theirs.caller)).toEqual(before);
    expect(notices).toEqual([]);
  });

  test("in bulk counts what was there: each record once, nothing unknown, nothing of another workspace", async () => {
    const theirs = newTestWorkspace(database);
    const foreign = await theirs.create();
    const before = await dumpTables(database.read, theirs.caller);
    const { caller, writer, create, list } = newTestWorkspace(database);
    const [first, second, third] = [await create(), await create(), await create()];
    const ids = [third.id, unknownId(), first.id, foreign.id, third.id, first.id, "", "rec_"];
    expect(await writer.removeMany(caller, ids)).toBe(2);
    expect((await list()).items).toEqual([second]);
    expect(await dumpTables(database.read, theirs.caller)).toEqual(before);
  });

  test("in bulk removes nothing and tells nobody where none of the ids is there", async () => {
    const { caller, writer, notices, create } = newTestWorkspace(database);
    await create();
    const before = await dumpTables(database.read, caller);
    const noticesBefore = [...notices];
    expect(await writer.removeMany(caller, [unknownId(), unknownId()])).toBe(0);
    expect(await dumpTables(database.read, caller)).toEqual(before);
    expect(notices).toEqual(noticesBefore);
  });

  test("in bulk removes as many records as a request may name", async () => {
    const { caller, writer, list } = newTestWorkspace(database);
    const records = Array.from({ length: 1_000 }, (_, at) => ({ name: `Record ${at}`, type: "note" }));
    const { items: created } = await writer.createMany(caller, records);
    const kept = created.slice(500, 503);
    const ids = created.filter((record) => !kept.includes(record)).map(({ id }) => id);
    expect(await writer.removeMany(caller, ids.toReversed())).toBe(997);
    expect(await list()).toMatchObject({ items: kept, total: 3, next_cursor: null });
  });
});
