import { beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Database } from "../../../../db/database.ts";
import { idTimeMs } from "../../../../lib/ids.ts";
import { parseOrdered, stringifyOrdered } from "../../../../lib/ordered-json.ts";
import type { NewRecord } from "../../../../services/records/record.schema.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { contentOfBytes } from "./support/content-of-bytes.ts";
import { fieldMembers, fieldsText, storableTexts } from "./support/storable-texts.ts";
import { dumpTables } from "./support/table-dump.ts";
import { newTestWorkspace } from "./support/test-workspace.ts";

const MAX_RECORD_BYTES = 65_536;

describeOnBothDatabases("creating records", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  test("gives back the whole record, and the same record can be fetched", async () => {
    const { clock, create, get } = newTestWorkspace(database);
    clock.tickMs = 0;
    const now = new Date(clock.nowMs).toISOString();
    const content = { name: "Plan", type: "task", fields: { owner: "Ada" }, tags: ["red", "red", "blue"] };

    const created = await create(content);

    expect(created).toStrictEqual({
      id: expect.stringMatching(/^rec_[0-9A-HJKMNP-TV-Z]{26}$/),
      ...content,
      status: "active",
      created_at: now,
      updated_at: now,
    });
    expect(await get(created.id)).toStrictEqual(created);
  });

  test("makes fields an empty object and tags an empty list where they are not given", async () => {
    const { caller, writer, get } = newTestWorkspace(database);
    const created = await writer.create(caller, { name: "Plan", type: "task" });
    expect(created).toMatchObject({ fields: {}, tags: [] });
    expect(await get(created.id)).toStrictEqual(created);
  });

  test("is active whatever a custom field named status says", async () => {
    const { create } = newTestWorkspace(database);
    expect(await create({ fields: { status: "draft" } })).toMatchObject({
      status: "active",
      fields: { status: "draft" },
    });
  });

  test("shows members in the documented order", async () => {
    const { create, get } = newTestWorkspace(database);
    const members = ["id", "name", "type", "status", "fields", "tags", "created_at", "updated_at"];
    const created = await create();
    expect(Object.keys(created)).toEqual(members);
    expect(Object.keys(await get(created.id))).toEqual(members);
  });

  test("takes created_at from the id's time, also where the clock steps back", async () => {
    const { clock, create } = newTestWorkspace(database);
    const first = await create();
    clock.tickMs = -1_000;
    const second = await create();
    for (const { id, created_at, updated_at } of [first, second]) {
      expect(created_at).toBe(new Date(idTimeMs("record", id)).toISOString());
      expect(updated_at).toBe(created_at);
    }
    expect(second.id > first.id).toBe(true);
  });

  test("keeps the order of field keys, those that look like numbers and __proto__ included", async () => {
    const { create, get } = newTestWorkspace(database);
    const text =
      '{"b":"1","10":"2","a":"3","2":"4","__proto__":"5","constructor":"6","01":"7","-1":"8","0":"9"}';
    const created = await create({ fields: parseOrdered(text) });
    expect(stringifyOrdered(created.fields)).toBe(text);
    expect(stringifyOrdered((await get(created.id)).fields)).toBe(text);
  });

  test("keeps delicate keys of an object that no ordered parser has read", async () => {
    const { create, get } = newTestWorkspace(database);
    const fields: Record<string, string> = JSON.parse('{"b":"1","7":"2","__proto__":"3","toString":"4"}');
    const { id } = await create({ fields });
    // The object itself has moved the number to the front before the service saw it.
    expect(stringifyOrdered((await get(id)).fields)).toBe('{"7":"2","b":"1","__proto__":"3","toString":"4"}');
    expect(Object.getPrototypeOf({})).toBe(Object.prototype);
  });

  test("keeps any string exactly, as name, type, field key, field value and tag", async () => {
    const { caller, writer, get } = newTestWorkspace(database);
    const record = fc.record(
      {
        name: storableTexts(255),
        type: storableTexts(64),
        fields: fieldMembers.map(fieldsText),
        tags: fc.array(storableTexts(64), { maxLength: 5 }),
      },
      { noNullPrototype: true },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(record, { minLength: 1, maxLength: 6 }), async (records) => {
        const { items: created } = await writer.createMany(
          caller,
          records.map(({ fields, ...rest }) => ({ ...rest, fields: parseOrdered(fields) })),
        );
        for (const [at, { id }] of created.entries()) {
          const { name, type, fields, tags } = await get(id);
          expect({ name, type, fields: stringifyOrdered(fields), tags }).toStrictEqual(records[at]);
        }
      }),
      { numRuns: 40 },
    );
  });

  test("takes a record of exactly 64 KiB, and refuses one that is a byte larger", async () => {
    const { caller, create, get } = newTestWorkspace(database);
    const largest = await create(contentOfBytes(MAX_RECORD_BYTES));
    expect(await get(largest.id)).toStrictEqual(largest);
    const before = await dumpTables(database.read, caller);
    await expect(create(contentOfBytes(MAX_RECORD_BYTES + 1))).rejects.toMatchObject({
      code: 400,
      type: "invalid_request",
      details: [{ path: "", message: "must have at most 65,536 bytes in all, not 65,537" }],
    });
    expect(await dumpTables(database.read, caller)).toEqual(before);
  });

  test("in bulk gives the records in the order of the request, their ids in that order too", async () => {
    const { caller, writer, clock, get, list } = newTestWorkspace(database);
    clock.tickMs = 0;
    const names = Array.from({ length: 150 }, (_, at) => `Record ${(at * 37) % 150}`);
    const { items: created } = await writer.createMany(
      caller,
      names.map((name) => ({ name, type: "task", fields: { name }, tags: [name] })),
    );
    expect(created.map(({ name }) => name)).toEqual(names);
    expect(created.map(({ id }) => id)).toEqual(created.map(({ id }) => id).toSorted());
    expect(new Set(created.map(({ id }) => id)).size).toBe(150);
    for (const record of created) expect(await get(record.id)).toStrictEqual(record);
    expect((await list({ per_page: 100 })).items).toStrictEqual(created.slice(0, 100));
  });

  test("goes on in the order of ids over single and bulk creates", async () => {
    const { caller, writer, clock, create, list } = newTestWorkspace(database);
    clock.tickMs = 0;
    const made = [
      await create({ name: "z" }),
      ...(
        await writer.createMany(caller, [
          { name: "y", type: "a" },
          { name: "x", type: "b" },
        ])
      ).items,
      await create({ name: "w" }),
    ];
    expect((await list({ sort: "id" })).items).toStrictEqual(made);
  });

  test("in bulk creates nothing where one record is over its size, and names that record", async () => {
    const { caller, writer, notices } = newTestWorkspace(database);
    const small: NewRecord = { name: "Small", type: "task" };
    const before = await dumpTables(database.read, caller);
    await expect(
      writer.createMany(caller, [small, small, small, contentOfBytes(MAX_RECORD_BYTES + 1), small]),
    ).rejects.toMatchObject({ code: 400, type: "invalid_request", details: [{ path: "records.3" }] });
    expect(await dumpTables(database.read, caller)).toEqual(before);
    expect(notices).toEqual([]);
  });
});
