import { beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { recordSorts } from "../../../../services/records/record.schema.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { newLargeWorkspace } from "./support/large-workspace.ts";
import type { TestWorkspace } from "./support/test-workspace.ts";

/** A deep page is found in several steps, of 5,000 records each. */
const RECORDS = 12_000;
const PER_PAGE = 100;

type Row = Record<(typeof recordSorts)[number], string | number>;
const orders = recordSorts.flatMap((sort) => (["asc", "desc"] as const).map((order) => ({ sort, order })));

describeOnBothDatabases("a deep page", (open) => {
  let workspace: TestWorkspace;
  let rows: Row[];

  beforeAll(async () => {
    const database: Database = await open();
    workspace = await newLargeWorkspace(database, RECORDS);
    rows = await database.read.query<Row>("SELECT * FROM records");
  });

  test.each(orders)("by $sort $order is where it belongs, and its cursor leads on", async (order) => {
    const ids = sorted(rows, order).map(({ id }) => id);
    for (const page of [50, 51, 101, 120]) {
      const { items, next_cursor } = await workspace.list({ ...order, page, per_page: PER_PAGE });
      expect(items.map(({ id }) => id)).toEqual(ids.slice((page - 1) * PER_PAGE, page * PER_PAGE));
      expect(next_cursor === null).toBe(page * PER_PAGE === RECORDS);
    }
    const { next_cursor } = await workspace.list({ ...order, page: 101, per_page: PER_PAGE });
    const { items } = await workspace.list({ ...order, cursor: next_cursor ?? "", per_page: PER_PAGE });
    expect(items.map(({ id }) => id)).toEqual(ids.slice(101 * PER_PAGE, 102 * PER_PAGE));
  });

  test("behind the end is empty", async () => {
    for (const page of [121, 200, 1_000]) {
      expect(await workspace.list({ page, per_page: PER_PAGE })).toMatchObject({
        items: [],
        total: RECORDS,
        next_cursor: null,
      });
    }
  });
});

/** All values are ASCII here, which every way to compare sorts alike. */
function sorted(rows: readonly Row[], { sort, order }: (typeof orders)[number]): Row[] {
  const ascending = rows.toSorted((left, right) => {
    if (left[sort] !== right[sort]) return left[sort] < right[sort] ? -1 : 1;
    return left.id < right.id ? -1 : 1;
  });
  return order === "asc" ? ascending : ascending.reverse();
}
