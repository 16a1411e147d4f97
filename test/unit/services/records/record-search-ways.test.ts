import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { listOrder } from "../../../../db/listing/list-order.ts";
import { searchPositions } from "../../../../db/listing/list-search.ts";
import type { ListFilter, PositionRange } from "../../../../db/listing/listing.ts";
import { queryWords } from "../../../../lib/search-words.ts";
import {
  type ListRecordsParams,
  type NewRecord,
  type RecordResource,
  recordSorts,
  recordStatuses,
} from "../../../../services/records/record.schema.ts";
import { recordFilter, recordListing } from "../../../../services/records/record-listing.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { type IssuedStatement, watchSql } from "../../../support/watched-sql.ts";
import { modelPositions } from "./support/model-positions.ts";
import { newTestWorkspace, type TestWorkspace } from "./support/test-workspace.ts";

/** Many begins behind it: in place of the service's 10,000, so that few records do. */
const MANY = 12;
const RECORDS = 90;

const names = ["common ～", "common 😀", "common", "Common copper", "copper comma"];

/** Every record is found by `co`, some by several words; the type few has as many records as are not yet many. */
const records: readonly NewRecord[] = Array.from({ length: RECORDS }, (_, at) => ({
  name: names[at % names.length] ?? "",
  type: at % 8 === 3 ? "few" : (["note", "task"][at % 2] ?? ""),
  fields: {
    even: at % 2 === 0 ? "even" : "odd",
    half: at < RECORDS / 2 ? "former" : "latter",
    rare: at % 40 === 1 ? "rare" : "",
    edge: at < MANY ? "twelve" : "",
    beyond: at <= MANY ? "thirteen" : "",
  },
}));

const searches = [
  { q: "rare", way: "by the rare word" },
  { q: "co rare", way: "by the rare word" },
  { q: "twelve", way: "by the rare word" },
  { q: "thirteen", way: "by filter or walk" },
  { q: "co", way: "by filter or walk" },
  { q: "common", way: "by filter or walk" },
  { q: "copper common", way: "by filter or walk" },
  { q: "even former", way: "by filter or walk" },
  { q: "odd even", way: "by filter or walk" },
] as const;

const filters = [{}, { type: "few" }, { status: "draft" }, { type: "note", status: "active" }];
// By created_at is by id: lists show that.
const orders = recordSorts
  .filter((sort) => sort !== "created_at")
  .flatMap((sort) => (["asc", "desc"] as const).map((order) => ({ sort, order })));

describeOnBothDatabases("each way to search", (open) => {
  let database: Database;
  let workspace: TestWorkspace;
  let all: RecordResource[];

  beforeAll(async () => {
    database = await open();
    workspace = newTestWorkspace(database);
    const { caller, writer } = workspace;
    const others = newTestWorkspace(database);
    await others.writer.createMany(others.caller, records);
    const ids = (await writer.createMany(caller, records)).items.map(({ id }) => id);
    // Each second record gets another status, in another order than they were made.
    for (const id of ids.filter((_, at) => at % 2 === 0).toReversed()) {
      const status = recordStatuses[ids.indexOf(id) % 3];
      await writer.update(caller, { id, status });
    }
    all = (await workspace.list({ per_page: 100 })).items;
  });

  const scoped = (filter: Pick<ListRecordsParams, "type" | "status">) =>
    recordFilter(workspace.caller.workspaceId, filter);

  const searchIn = (filter: ListFilter, params: ListRecordsParams, issued: IssuedStatement[] = []) => {
    const order = listOrder(recordListing, params.sort, params.order, filter);
    const prefixes = queryWords(params.q ?? "");
    const search = { sql: watchSql(database.read, issued), listing: recordListing, filter, order, prefixes };
    return (range: PositionRange) => searchPositions(search, range, MANY);
  };

  describe.each(searches)("for $q, $way", ({ q, way }) => {
    test.each(filters)("gives the model's answer in every order, filtered by %j", async (filter) => {
      for (const order of orders) {
        const expected = modelPositions(all, scoped(filter), { ...order, q });
        const search = searchIn(scoped(filter), { ...order, q });
        const total = Math.min(expected.length, MANY);
        expect(await search({ offset: 0, limit: RECORDS })).toEqual({ positions: expected, total });
        // A page by number is an offset, a page by cursor what comes behind a position.
        expect(await search({ offset: 5, limit: 9 })).toEqual({ positions: expected.slice(5, 14), total });
        for (const [at, after] of [...expected.entries()].filter(([at]) => at % 11 === 3)) {
          const positions = expected.slice(at + 1, at + 8);
          expect(await search({ after, offset: 0, limit: 7 })).toEqual({ positions, total });
        }
      }
    });

    test("is the way that is taken", async () => {
      const byWord = way === "by the rare word";
      for (const { filter, walksRecords, readsWord } of [
        { filter: {}, walksRecords: !byWord, readsWord: true },
        { filter: { type: "few" }, walksRecords: !byWord, readsWord: byWord },
      ]) {
        const issued: IssuedStatement[] = [];
        await searchIn(scoped(filter), { sort: "name", q }, issued)({ offset: 0, limit: 7 });
        expect(issued.some(({ statement }) => statement.includes("ORDER BY value"))).toBe(walksRecords);
        expect(issued.some(({ statement }) => statement.startsWith("SELECT word"))).toBe(readsWord);
      }
    });
  });

  test("finds nothing, and looks at no record, where one of the words is nowhere", async () => {
    const issued: IssuedStatement[] = [];
    const search = searchIn(scoped({}), { q: "common nowhere" }, issued);
    expect(await search({ offset: 0, limit: 7 })).toEqual({ positions: [], total: 0 });
    expect(issued.filter(({ statement }) => statement.includes("FROM records "))).toEqual([]);
  });
});
