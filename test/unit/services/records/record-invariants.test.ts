import { beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Database } from "../../../../db/database.ts";
import {
  type ListRecordsParams,
  recordSorts,
  recordStatuses,
} from "../../../../services/records/record.schema.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { walkByCursor, walkByPage } from "../../../support/list-walks.ts";
import { modelList, modelWords } from "./support/record-model.ts";
import { RecordModel, recordOperations } from "./support/record-operations.ts";
import { dumpTables } from "./support/table-dump.ts";
import { newTestWorkspace, type TestWorkspace } from "./support/test-workspace.ts";

const TYPES = ["note", "task", "～", "😀", "nosuch"];
const histories = fc.array(recordOperations, { maxLength: 14 });

const listParams: fc.Arbitrary<ListRecordsParams> = fc.record(
  {
    sort: fc.constantFrom(...recordSorts),
    order: fc.constantFrom("asc" as const, "desc" as const),
    type: fc.constantFrom(...TYPES),
    status: fc.constantFrom(...recordStatuses),
    q: fc.constantFrom("zeb", "zebra", "a", "e", "数据", "😀", "zeb cross", "nosuch", "～"),
  },
  { requiredKeys: [], noNullPrototype: true },
);

describeOnBothDatabases("after any changes of records", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  const afterHistory = async (history: Parameters<RecordModel["run"]>[1][]) => {
    const workspace = newTestWorkspace(database);
    const model = new RecordModel();
    for (const operation of history) await model.run(workspace, operation);
    return { workspace, model };
  };

  test("the total of every filter is the number of records in it", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { workspace, model } = await afterHistory(history);
        for (const type of [undefined, ...TYPES]) {
          for (const status of [undefined, ...recordStatuses]) {
            const { total } = await workspace.list({ type, status, per_page: 1 });
            expect({ type, status, total }).toEqual({
              type,
              status,
              total: modelList(model.records.values(), { type, status }).length,
            });
          }
        }
      }),
      { numRuns: 25 },
    );
  });

  test("every counter is above zero, and the index has the words of the records and no others", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { workspace, model } = await afterHistory(history);
        const { records, words, counts } = await dumpTables(database.read, workspace.caller);
        expect(records.map(({ id }) => id)).toEqual([...model.records.keys()].toSorted());
        expect(counts.filter(({ count }) => count <= 0)).toEqual([]);
        const entries = words.map(({ word, record_id }) => `${record_id} ${word}`);
        const expected = Array.from(model.records.values(), (record) =>
          modelWords(record).map((word) => `${record.id} ${word}`),
        );
        expect(entries.toSorted()).toEqual(expected.flat().toSorted());
      }),
      { numRuns: 40 },
    );
  });

  test("every list and search shows the model's, by page as by cursor", async () => {
    const parameters = fc.tuple(listParams, fc.integer({ min: 1, max: 4 }));
    await fc.assert(
      fc.asyncProperty(
        histories,
        fc.array(parameters, { minLength: 4, maxLength: 4 }),
        async (history, lists) => {
          const { workspace, model } = await afterHistory(history);
          for (const [params, per_page] of lists)
            await expectModelList(workspace, model, { ...params, per_page });
        },
      ),
      { numRuns: 40 },
    );
  });

  test("each record is fetched as it was answered last, and those that are gone are not found", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { workspace, model } = await afterHistory(history);
        for (const record of model.records.values()) {
          expect(await workspace.get(record.id)).toStrictEqual(record);
        }
        for (const id of model.goneIds()) {
          await expect(workspace.get(id)).rejects.toMatchObject({ code: 404 });
        }
      }),
      { numRuns: 25 },
    );
  });

  test("as many events tell of it as records came, changed or went", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { workspace, model } = await afterHistory(history);
        const { events } = await dumpTables(database.read, workspace.caller);
        const left = new Map<string, unknown>();
        for (const { event, payload } of events) {
          const { created_by, updated_by, deleted_by, ...record } = JSON.parse(payload).data;
          expect([created_by, updated_by, deleted_by].filter(Boolean)).toEqual([workspace.caller.userId]);
          if (event === "record.deleted") expect(left.get(record.id)).toEqual(record);
          if (event === "record.deleted") left.delete(record.id);
          else left.set(record.id, record);
        }
        // Who goes by the events alone knows every record as it is.
        const records = JSON.parse(JSON.stringify([...model.records.values()]).replaceAll('"\\u0000', '"'));
        expect([...left.values()]).toEqual(records);
      }),
      { numRuns: 25 },
    );
  });
});

async function expectModelList(
  { list }: TestWorkspace,
  model: RecordModel,
  params: ListRecordsParams & { per_page: number },
): Promise<void> {
  const expected = modelList(model.records.values(), params);
  const byPage = await walkByPage(list, params);
  expect(byPage.flatMap(({ items }) => items)).toStrictEqual(expected);
  expect(byPage.map(({ total }) => total)).toEqual(byPage.map(() => expected.length));
  // One page too many would show that the end was not seen.
  expect(byPage).toHaveLength(Math.max(1, Math.ceil(expected.length / params.per_page)));
  expect(await walkByCursor(list, params)).toStrictEqual(byPage);
}
