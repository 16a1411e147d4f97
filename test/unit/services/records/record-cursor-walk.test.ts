import { beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Database } from "../../../../db/database.ts";
import {
  type ListRecordsParams,
  type NewRecord,
  type RecordResource,
  recordSorts,
} from "../../../../services/records/record.schema.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { walkByCursor } from "../../../support/list-walks.ts";
import { modelList } from "./support/record-model.ts";
import { newTestWorkspace, type TestWorkspace } from "./support/test-workspace.ts";

const records: fc.Arbitrary<NewRecord> = fc.record(
  {
    name: fc.constantFrom("zebra", "zebra a", "zebra ～", "zebra 😀", "a zebra"),
    type: fc.constantFrom("note", "task"),
  },
  { noNullPrototype: true },
);

const walks: fc.Arbitrary<ListRecordsParams> = fc.record(
  {
    per_page: fc.integer({ min: 1, max: 5 }),
    sort: fc.constantFrom(...recordSorts),
    order: fc.constantFrom("asc" as const, "desc" as const),
    type: fc.constantFrom(undefined, undefined, "note"),
    q: fc.constantFrom(undefined, undefined, "zebra"),
  },
  { noNullPrototype: true },
);

/** What others do between two pages: records that come, and places of first records that go. */
const interludes = fc.record({
  come: fc.array(records, { maxLength: 3 }),
  go: fc.array(fc.nat({ max: 19 }), { maxLength: 3 }),
});

/** Each record at most once, those that were there all the time exactly once, and all in the list's order. */
function expectCompleteWalk(
  shown: readonly RecordResource[],
  stayed: readonly RecordResource[],
  params: ListRecordsParams,
): void {
  const ids = shown.map(({ id }) => id);
  expect(new Set(ids).size).toBe(ids.length);
  const throughout = modelList(stayed, params);
  expect(shown.filter(({ id }) => throughout.some((record) => record.id === id))).toEqual(throughout);
  expect(shown).toEqual(modelList(shown, params));
}

describeOnBothDatabases("a walk by cursor", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  const start = async (first: readonly NewRecord[]) => {
    const workspace = newTestWorkspace(database);
    const { items: created } = await workspace.writer.createMany(workspace.caller, first);
    return { workspace, created };
  };

  const shownBy = async (
    { list }: TestWorkspace,
    params: ListRecordsParams,
    between?: (pagesSoFar: number) => Promise<void>,
  ) => (await walkByCursor(list, params, between)).flatMap(({ items }) => items);

  test("shows each record that existed throughout exactly once, whatever comes and goes between pages", async () => {
    const first = fc.array(records, { minLength: 1, maxLength: 20 });
    const changes = fc.array(interludes, { maxLength: 8 });
    await fc.assert(
      fc.asyncProperty(first, changes, walks, async (firstRecords, between, params) => {
        const { workspace, created } = await start(firstRecords);
        const { caller, writer } = workspace;
        const stayed = new Set(created);
        const shown = await shownBy(workspace, params, async (pagesSoFar) => {
          const { come, go } = between[pagesSoFar - 1] ?? { come: [], go: [] };
          if (come.length > 0) await writer.createMany(caller, come);
          const gone = go.flatMap((place) => created[place] ?? []);
          for (const record of gone) stayed.delete(record);
          await writer.removeMany(
            caller,
            gone.map(({ id }) => id),
          );
        });
        expectCompleteWalk(shown, [...stayed], params);
      }),
      { numRuns: 80 },
    );
  });

  test("goes on where the record that its cursor stands on is gone", async () => {
    const { workspace, created } = await start(Array(9).fill({ name: "Same", type: "note" }));
    const { caller, writer } = workspace;
    for (const sort of recordSorts) {
      const { items, next_cursor } = await workspace.list({ sort, per_page: 3 });
      await writer.removeMany(
        caller,
        items.map(({ id }) => id),
      );
      const rest = await workspace.list({ sort, cursor: next_cursor ?? "" });
      expect(rest.items).toEqual(
        created.filter((record) => !items.includes(record)).slice(-rest.items.length),
      );
      expect(rest).toMatchObject({ total: rest.items.length, next_cursor: null });
      created.push(...(await writer.createMany(caller, Array(3).fill({ name: "Same", type: "note" }))).items);
      created.splice(0, 3);
    }
  });

  test("is complete while others write without a pause", async () => {
    const { workspace, created } = await start(
      Array.from({ length: 60 }, (_, at) => ({ name: `zebra ${at % 7}`, type: "note" })),
    );
    const { caller, writer } = workspace;
    const leaving = created.filter((_, at) => at % 3 === 0);
    const stayed = created.filter((record) => !leaving.includes(record));
    let walking = true;
    const churn = async () => {
      while (walking) {
        await writer.create(caller, { name: `zebra ${leaving.length % 7}`, type: "note" });
        const gone = leaving.pop();
        if (gone) await writer.remove(caller, gone.id);
      }
    };
    const churning = churn();
    const walks: ListRecordsParams[] = [
      { sort: "name", per_page: 4 },
      { sort: "created_at", order: "desc", per_page: 7 },
      { sort: "updated_at", q: "zebra", order: "desc", per_page: 9 },
    ];
    try {
      const shown = await Promise.all(walks.map((params) => shownBy(workspace, params)));
      for (const [at, params] of walks.entries()) expectCompleteWalk(shown[at] ?? [], stayed, params);
    } finally {
      walking = false;
      await churning;
    }
  });
});
