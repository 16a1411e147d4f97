import { beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Database } from "../../../../db/database.ts";
import { parseOrdered, stringifyOrdered } from "../../../../lib/ordered-json.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { contentOfBytes } from "./support/content-of-bytes.ts";
import { type FieldMember, fieldMembers, fieldsText, storableTexts } from "./support/storable-texts.ts";
import { dumpTables } from "./support/table-dump.ts";
import { newTestWorkspace, unknownId } from "./support/test-workspace.ts";

const numbered = (from: number, count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${from + at}`, "value"]));

describeOnBothDatabases("updating records", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  test("changes the members that the patch has and keeps the others", async () => {
    const { caller, writer, clock, create, get } = newTestWorkspace(database);
    const before = await create({ name: "Old", fields: { a: "1" }, tags: ["t"] });
    for (const change of [{ name: "New" }, { status: "draft" as const }, { tags: ["u"] }]) {
      const previous = await get(before.id);
      const updated = await writer.update(caller, { id: before.id, ...change });
      expect(updated).toStrictEqual({
        ...previous,
        ...change,
        updated_at: new Date(clock.nowMs - 1).toISOString(),
      });
      expect(await get(before.id)).toStrictEqual(updated);
    }
  });

  test.each(["active", "archived", "draft"] as const)("moves to %s from any status", async (status) => {
    const { caller, writer, create, get } = newTestWorkspace(database);
    for (const from of ["active", "archived", "draft"] as const) {
      const { id } = await create();
      await writer.update(caller, { id, status: from });
      expect(await writer.update(caller, { id, status })).toMatchObject({ status });
      expect(await get(id)).toMatchObject({ status });
    }
  });

  test("changes updated_at also where the clock stands still or steps back, and never created_at", async () => {
    const { caller, writer, clock, create } = newTestWorkspace(database);
    let previous = await create();
    for (const tickMs of [0, 0, -5_000]) {
      clock.tickMs = tickMs;
      const updated = await writer.update(caller, { id: previous.id, name: "The same name" });
      expect(updated.updated_at > previous.updated_at).toBe(true);
      expect(updated.created_at).toBe(previous.created_at);
      previous = updated;
    }
  });

  test("with an empty patch gives the record back and changes nothing", async () => {
    const { caller, writer, notices, create } = newTestWorkspace(database);
    const created = await create({ fields: { a: "1" }, tags: ["t"] });
    const before = await dumpTables(database.read, caller);
    const noticesBefore = [...notices];
    expect(await writer.update(caller, { id: created.id })).toStrictEqual(created);
    expect(await dumpTables(database.read, caller)).toEqual(before);
    expect(notices).toEqual(noticesBefore);
  });

  test("merges fields: given keys win where they are, new ones come last, others stay", async () => {
    const { caller, writer, create, get } = newTestWorkspace(database);
    const { id } = await create({ fields: parseOrdered('{"b":"1","10":"2","__proto__":"3","a":"4"}') });
    const patch = parseOrdered<Record<string, string>>('{"2":"7","a":"6","__proto__":"5","10":""}');
    const updated = await writer.update(caller, { id, fields: patch });
    const merged = '{"b":"1","10":"","__proto__":"5","a":"6","2":"7"}';
    expect(stringifyOrdered(updated.fields)).toBe(merged);
    expect(stringifyOrdered((await get(id)).fields)).toBe(merged);
  });

  test("merges any fields as a map that remembers the order of first insertion", async () => {
    const { caller, writer, create, get } = newTestWorkspace(database);
    const parsed = (members: readonly FieldMember[]) =>
      parseOrdered<Record<string, string>>(fieldsText(members));
    await fc.assert(
      fc.asyncProperty(fieldMembers, fieldMembers, storableTexts(255), async (first, second, name) => {
        const { id } = await create({ fields: parsed(first) });
        await writer.update(caller, { id, name, fields: parsed(second) });
        const shown = await get(id);
        expect(shown.name).toBe(name);
        expect(stringifyOrdered(shown.fields)).toBe(fieldsText(new Map([...first, ...second])));
      }),
      { numRuns: 40 },
    );
  });

  test("replaces the list of tags as a whole", async () => {
    const { caller, writer, create, get } = newTestWorkspace(database);
    const { id } = await create({ tags: ["a", "b"] });
    for (const tags of [["c", "a"], [], ["c", "c "]]) {
      expect(await writer.update(caller, { id, tags })).toMatchObject({ tags });
      expect((await get(id)).tags).toEqual(tags);
    }
  });

  test("takes 100 fields in all, and refuses one more without a change", async () => {
    const { caller, writer, create } = newTestWorkspace(database);
    const { id } = await create({ fields: numbered(0, 90) });
    const full = await writer.update(caller, { id, fields: numbered(80, 20) });
    expect(Object.keys(full.fields)).toHaveLength(100);
    // Known keys may still change: the record grows by none.
    await writer.update(caller, { id, fields: { key0: "other" } });
    const before = await dumpTables(database.read, caller);
    await expect(writer.update(caller, { id, name: "x", fields: { key100: "value" } })).rejects.toMatchObject(
      {
        code: 400,
        type: "invalid_request",
        details: [{ path: "fields", message: expect.stringContaining("100") }],
      },
    );
    expect(await dumpTables(database.read, caller)).toEqual(before);
  });

  test("takes 64 KiB in all, and refuses one byte more without a change", async () => {
    const { caller, writer, notices, create } = newTestWorkspace(database);
    const { id } = await create(contentOfBytes(65_535));
    await writer.update(caller, { id, name: "Large!" });
    const before = await dumpTables(database.read, caller);
    const noticesBefore = [...notices];
    await expect(writer.update(caller, { id, name: "Large!!" })).rejects.toMatchObject({
      code: 400,
      type: "invalid_request",
      details: [{ path: "", message: expect.stringContaining("65,536") }],
    });
    expect(await dumpTables(database.read, caller)).toEqual(before);
    expect(notices).toEqual(noticesBefore);
  });

  test("refuses a patch that no record could take before it looks for the record", async () => {
    const { caller, writer } = newTestWorkspace(database);
    const { fields } = contentOfBytes(65_600);
    await expect(writer.update(caller, { id: unknownId(), fields })).rejects.toMatchObject({
      code: 400,
      details: [{ path: "", message: expect.stringContaining("65,536") }],
    });
  });

  test("answers another workspace's id exactly as one that does not exist, and changes nothing", async () => {
    const theirs = newTestWorkspace(database);
    const { id } = await theirs.create();
    const before = await dumpTables(database.read, theirs.caller);
    const { caller, writer, notices, get } = newTestWorkspace(database);
    for (const patch of [{ name: "Mine" }, {}]) {
      const refused = await writer.update(caller, { id, ...patch }).catch((error) => error);
      expect(refused).toMatchObject({ code: 404, type: "not_found" });
      expect(await writer.update(caller, { id: unknownId(), ...patch }).catch((e) => e)).toEqual(refused);
    }
    const missing = await get(id).catch((error) => error);
    expect(missing).toMatchObject({ code: 404, type: "not_found" });
    expect(await get(unknownId()).catch((error) => error)).toEqual(missing);
    expect(await dumpTables(database.read, theirs.caller)).toEqual(before);
    expect((await dumpTables(database.read, caller)).events).toEqual([]);
    expect(notices).toEqual([]);
  });

  test("knows ids byte for byte", async () => {
    const { caller, writer, create, get } = newTestWorkspace(database);
    const { id } = await create();
    for (const other of [`${id} `, id.toLowerCase(), ` ${id}`, "", id.slice(0, -1), `${id}'`]) {
      await expect(get(other)).rejects.toMatchObject({ code: 404 });
      await expect(writer.update(caller, { id: other, name: "x" })).rejects.toMatchObject({ code: 404 });
      await expect(writer.remove(caller, other)).rejects.toMatchObject({ code: 404 });
    }
    expect(await get(id)).toMatchObject({ id });
  });
});
