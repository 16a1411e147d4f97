import { beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import {
  type NewRecord,
  type RecordResource,
  recordStatuses,
} from "../../../../services/records/record.schema.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { modelList, modelWords } from "./support/record-model.ts";
import { dumpTables } from "./support/table-dump.ts";
import { newTestWorkspace, type TestWorkspace } from "./support/test-workspace.ts";

const newRecords = (count: number, label: string): NewRecord[] =>
  Array.from({ length: count }, (_, at) => ({
    name: `${label} ${at}`,
    type: at % 2 === 0 ? "task" : "note",
    fields: { shared: "words that all records have" },
  }));

describeOnBothDatabases("changes of records at once", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  /** Rows, words, counters and events say the same, and it is what must be there. */
  const expectExactly = async (workspace: TestWorkspace, records: readonly RecordResource[]) => {
    const { caller, list } = workspace;
    const dump = await dumpTables(database.read, caller);
    expect(dump.records.map(({ id }) => id)).toEqual(records.map(({ id }) => id).toSorted());
    const entries = records.flatMap((record) => modelWords(record).map((word) => `${word} ${record.id}`));
    expect(dump.words.map(({ word, record_id }) => `${word} ${record_id}`).toSorted()).toEqual(
      entries.toSorted(),
    );
    expect(dump.counts.filter(({ count }) => count <= 0)).toEqual([]);
    for (const type of [undefined, "task", "note"]) {
      for (const status of [undefined, ...recordStatuses]) {
        const expected = modelList(records, { type, status });
        expect((await list({ type, status, per_page: 1 })).total).toBe(expected.length);
      }
    }
    return dump.events.map(({ event }) => event);
  };

  test("that merge 100 different keys into one record all survive", async () => {
    const workspace = newTestWorkspace(database);
    const { caller, writer, create, get } = workspace;
    const { id } = await create({ type: "task" });
    await Promise.all(
      Array.from({ length: 100 }, (_, at) =>
        writer.update(caller, { id, fields: { [`key${at}`]: `word${at}` } }),
      ),
    );
    const record = await get(id);
    expect(Object.keys(record.fields).toSorted()).toEqual(
      Array.from({ length: 100 }, (_, at) => `key${at}`).toSorted(),
    );
    const events = await expectExactly(workspace, [record]);
    expect(events.filter((event) => event === "record.updated")).toHaveLength(100);
  });

  test("that each change another member all survive, and every answer shows a later moment", async () => {
    const { caller, writer, clock, create, get } = newTestWorkspace(database);
    clock.tickMs = 0;
    const { id } = await create();
    const patches = [{ name: "New" }, { status: "draft" as const }, { tags: ["t"] }, { fields: { a: "1" } }];
    const answers = await Promise.all(patches.map((patch) => writer.update(caller, { id, ...patch })));
    expect(await get(id)).toMatchObject({ name: "New", status: "draft", tags: ["t"], fields: { a: "1" } });
    expect(new Set(answers.map(({ updated_at }) => updated_at)).size).toBe(patches.length);
  });

  test("never exceed the limit of fields together", async () => {
    const { caller, writer, create, get } = newTestWorkspace(database);
    const { id } = await create({
      fields: Object.fromEntries(Array.from({ length: 95 }, (_, at) => [`f${at}`, ""])),
    });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 20 }, (_, at) => writer.update(caller, { id, fields: { [`key${at}`]: "" } })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(5);
    expect(Object.keys((await get(id)).fields)).toHaveLength(100);
  });

  test("that create, move and remove leave exactly what they say", async () => {
    const workspace = newTestWorkspace(database);
    const { caller, writer, get } = workspace;
    const { items: first } = await writer.createMany(caller, newRecords(60, "first"));
    const left = first.filter((_, at) => at % 3 !== 0);
    const [created] = await Promise.all([
      Promise.all(newRecords(40, "later").map((record) => writer.create(caller, record))),
      ...first.filter((_, at) => at % 3 === 0).map(({ id }) => writer.remove(caller, id)),
      ...left.map(({ id }, at) =>
        writer.update(caller, { id, status: recordStatuses[at % 3], fields: { at: `${at}` } }),
      ),
    ]);
    const there = await Promise.all(left.map(({ id }) => get(id)));
    const events = await expectExactly(workspace, [...there, ...created]);
    expect(events).toHaveLength(60 + 40 + 20 + 40);
  });

  test("that create in bulk all succeed", async () => {
    const workspace = newTestWorkspace(database);
    const { caller, writer } = workspace;
    const created = await Promise.all(
      Array.from({ length: 8 }, (_, at) => writer.createMany(caller, newRecords(80, `bulk ${at}`))),
    );
    const events = await expectExactly(
      workspace,
      created.flatMap(({ items }) => items),
    );
    expect(events).toHaveLength(640);
  });

  test("that remove the same records in bulk remove each of them once", async () => {
    const workspace = newTestWorkspace(database);
    const { caller, writer } = workspace;
    const { items: created } = await writer.createMany(caller, newRecords(90, "removed"));
    const ids = created.map(({ id }) => id);
    const removed = await Promise.all(
      [ids.slice(0, 60), ids.slice(30).toReversed(), ids.toReversed(), ids.slice(20, 80)].map((some) =>
        writer.removeMany(caller, some),
      ),
    );
    expect(removed.reduce((sum, count) => sum + count, 0)).toBe(90);
    const events = await expectExactly(workspace, []);
    expect(events.filter((event) => event === "record.deleted")).toHaveLength(90);
  });

  test("that update and remove one record end with its removal, and none comes back", async () => {
    const workspace = newTestWorkspace(database);
    const { caller, writer } = workspace;
    const { items: created } = await writer.createMany(caller, newRecords(20, "raced"));
    const outcomes = await Promise.allSettled(
      created.flatMap(({ id }) => [
        writer.update(caller, { id, name: "Changed", status: "draft" }),
        writer.remove(caller, id),
        writer.update(caller, { id, status: "archived" }),
      ]),
    );
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason.type] : [],
    );
    expect(new Set(refusals)).toEqual(new Set(refusals.length > 0 ? ["not_found"] : []));
    const events = await expectExactly(workspace, []);
    expect(events.filter((event) => event === "record.deleted")).toHaveLength(20);
  });
});
