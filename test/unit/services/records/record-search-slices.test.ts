import { beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { listOrder } from "../../../../db/listing/list-order.ts";
import { searchPositions } from "../../../../db/listing/list-search.ts";
import { queryWords } from "../../../../lib/search-words.ts";
import type { NewRecord, RecordResource } from "../../../../services/records/record.schema.ts";
import { recordFilter, recordListing } from "../../../../services/records/record-listing.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { modelPositions } from "./support/model-positions.ts";
import { newTestWorkspace, type TestWorkspace } from "./support/test-workspace.ts";

/** More than a search looks at in one statement, in the index as in the filter. */
const RECORDS = 700;
const records: readonly NewRecord[] = Array.from({ length: RECORDS }, (_, at) => ({
  name: `common ${at % 50}`,
  type: at % 2 === 0 ? "task" : "note",
  fields: { other: at % 3 === 0 ? "comma third" : "colon" },
}));

/** The bound that divides few from many decides which way a search goes over the same records. */
const ways = [
  { way: "by word", bound: 10_000, q: "co" },
  { way: "by filter", bound: 400, q: "co" },
  { way: "by walk", bound: 300, q: "co" },
  { way: "by word", bound: 10_000, q: "common third" },
  { way: "by filter", bound: 400, q: "common c" },
  { way: "by walk", bound: 100, q: "common third" },
];
// By created_at is by id, and one type's records are by type as by id: lists show that.
const orders = (["id", "name", "status", "updated_at"] as const).flatMap((sort) =>
  (["asc", "desc"] as const).map((order) => ({ sort, order })),
);

describeOnBothDatabases("a search of more than one statement", (open) => {
  let database: Database;
  let workspace: TestWorkspace;
  let all: RecordResource[];

  beforeAll(async () => {
    database = await open();
    workspace = newTestWorkspace(database);
    all = (await workspace.writer.createMany(workspace.caller, records)).items;
  });

  test.each(ways)("$way finds what the model finds for $q, in every order", async ({ bound, q }) => {
    const filter = recordFilter(workspace.caller.workspaceId, { type: "task" });
    for (const params of orders) {
      const expected = modelPositions(all, filter, { ...params, q });
      const order = listOrder(recordListing, params.sort, params.order, filter);
      const search = { sql: database.read, listing: recordListing, filter, order, prefixes: queryWords(q) };
      const total = Math.min(expected.length, bound);
      const deep = Math.floor(expected.length * 0.8);
      expect(await searchPositions(search, { offset: 0, limit: RECORDS }, bound)).toEqual({
        positions: expected,
        total,
      });
      expect(await searchPositions(search, { offset: deep, limit: 21 }, bound)).toEqual({
        positions: expected.slice(deep, deep + 21),
        total,
      });
      expect(await searchPositions(search, { after: expected[2], offset: 0, limit: RECORDS }, bound)).toEqual(
        {
          positions: expected.slice(3),
          total,
        },
      );
    }
  });
});
