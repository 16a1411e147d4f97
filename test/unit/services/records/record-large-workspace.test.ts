import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { type ListRecordsParams, recordSorts } from "../../../../services/records/record.schema.ts";
import { getRecord, listRecords } from "../../../../services/records/record-list.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { growingSteps, rowsRead } from "../../../support/query-plan.ts";
import { type IssuedStatement, watchSql } from "../../../support/watched-sql.ts";
import { FEW, newLargeWorkspace } from "./support/large-workspace.ts";
import type { TestWorkspace } from "./support/test-workspace.ts";

/** More than a word may have to be looked at closely: what has that many is common everywhere. */
const SMALL = 300;
const LARGE = 20_000;
/** So many records are fetched by one statement. */
const PER_PAGE = 8;
/** Counters of one type and status are spread over as many rows at most. */
const MAX_COUNTER_ROWS = 16;

const orders = recordSorts.flatMap((sort) => (["asc", "desc"] as const).map((order) => ({ sort, order })));
const filters: ListRecordsParams[] = [
  {},
  { type: "note" },
  { status: "draft" },
  { type: "note", status: "active" },
];
const searches: ListRecordsParams[] = [
  { q: "zebra" },
  { q: "zebra common" },
  { q: "zeb", type: "few" },
  { q: "usual zebra", status: "draft", sort: "name", order: "desc" },
];

describeOnBothDatabases("reading a large workspace", (open) => {
  let database: Database;
  let small: TestWorkspace;
  let large: TestWorkspace;

  beforeAll(async () => {
    database = await open();
    small = await newLargeWorkspace(database, SMALL);
    large = await newLargeWorkspace(database, LARGE);
  });

  const statementsOf = async ({ caller }: TestWorkspace, params: ListRecordsParams) => {
    const issued: IssuedStatement[] = [];
    const result = await listRecords(watchSql(database.read, issued), caller, params);
    return { issued, result };
  };

  /** Statements of the first page, of one behind a cursor and of one by number. */
  const statementsOfPages = async (workspace: TestWorkspace, params: ListRecordsParams) => {
    const first = await statementsOf(workspace, { ...params, per_page: PER_PAGE });
    const cursor = first.result.next_cursor ?? undefined;
    const second = await statementsOf(workspace, { ...params, per_page: PER_PAGE, cursor });
    const third = await statementsOf(workspace, { ...params, per_page: PER_PAGE, page: 3 });
    return [...first.issued, ...second.issued, ...third.issued];
  };

  const expectNoGrowingStep = async (issued: readonly IssuedStatement[]) => {
    expect(issued.length).toBeGreaterThan(0);
    for (const one of new Map(issued.map((one) => [one.statement, one])).values()) {
      expect([one.statement, ...(await growingSteps(database.read, one))]).toEqual([one.statement]);
    }
  };

  describe("takes no scan and no sort in the database", () => {
    test.each(orders)("for a list by $sort $order, whatever its filter", async (order) => {
      const issued: IssuedStatement[] = [];
      for (const filter of filters) issued.push(...(await statementsOfPages(large, { ...filter, ...order })));
      await expectNoGrowingStep(issued);
    });

    test.each([{ q: "zebra" }, { q: "zebra common" }, { q: "common", type: "few" }, { q: "common" }])(
      "for a search with %j, whatever its order",
      async (search) => {
        for (const order of [...orders.slice(0, 4), ...orders.slice(-2)]) {
          const { issued } = await statementsOf(large, { ...search, ...order });
          await expectNoGrowingStep(issued);
        }
      },
    );

    test("for a record fetched alone", async () => {
      const issued: IssuedStatement[] = [];
      const [{ id } = { id: "" }] = (await large.list({ page: 700 })).items;
      await getRecord(watchSql(database.read, issued), large.caller, id);
      await expectNoGrowingStep(issued);
    });
  });

  describe(`costs the same among ${LARGE} records as among ${SMALL}`, () => {
    /** What a statement gives and reads. SQLite does not tell what it reads; that its plans do not grow must do. */
    const costOf = async (one: IssuedStatement) => {
      const { statement, rows } = one;
      if (statement.includes("record_counts")) return { statement, isFew: rows <= 3 * MAX_COUNTER_ROWS };
      return database.dialect === "sqlite"
        ? { statement, rows }
        : { statement, rows, read: await rowsRead(database.read, one) };
    };
    const costsOf = (issued: readonly IssuedStatement[]) => Promise.all(issued.map(costOf));

    test.each(orders)("for a list with its total by $sort $order", async (order) => {
      for (const filter of filters) {
        const params = { ...filter, ...order };
        const costs = await costsOf(await statementsOfPages(small, params));
        expect(await costsOf(await statementsOfPages(large, params))).toEqual(costs);
      }
    });

    test.each(searches)("for a search of selective words with %j", async (params) => {
      const costs = await costsOf((await statementsOf(small, params)).issued);
      expect(await costsOf((await statementsOf(large, params)).issued)).toEqual(costs);
    });

    test("for a record fetched alone", async () => {
      const costs: object[][] = [];
      for (const { caller, list } of [small, large]) {
        const issued: IssuedStatement[] = [];
        const [{ id } = { id: "" }] = (await list({ page: 2 })).items;
        await getRecord(watchSql(database.read, issued), caller, id);
        costs.push(await costsOf(issued));
      }
      expect(costs[0]).toHaveLength(1);
      expect(costs[1]).toEqual(costs[0]);
    });
  });

  describe("by a deep page number", () => {
    let rows: Row[];

    beforeAll(async () => {
      const { workspaceId } = large.caller;
      rows = await database.read.query<Row>("SELECT * FROM records WHERE workspace_id = ?", [workspaceId]);
    });

    // It is found in several steps of 5,000 records each.
    test.each(orders)(
      "sorted by $sort $order shows what belongs there, and its cursor leads on",
      async (order) => {
        const ids = sorted(rows, order).map(({ id }) => id);
        const idsOf = async (params: ListRecordsParams) =>
          (await large.list({ ...order, ...params, per_page: 100 })).items.map(({ id }) => id);
        for (const page of [50, 51, 101, LARGE / 100]) {
          expect(await idsOf({ page })).toEqual(ids.slice((page - 1) * 100, page * 100));
        }
        const { next_cursor } = await large.list({ ...order, page: 101, per_page: 100 });
        expect(await idsOf({ cursor: next_cursor ?? "" })).toEqual(ids.slice(10_100, 10_200));
      },
    );

    test("ends with the last record, and is empty behind it", async () => {
      expect(await large.list({ page: LARGE / 100, per_page: 100 })).toMatchObject({ next_cursor: null });
      for (const page of [LARGE / 100 + 1, 1_000]) {
        const empty = { items: [], total: LARGE, next_cursor: null };
        expect(await large.list({ page, per_page: 100 })).toMatchObject(empty);
      }
    });
  });

  describe("where a search finds more than 10,000", () => {
    test("counts no further, and goes on beyond by number and by cursor", async () => {
      const page = await large.list({ q: "common usual", page: 120, per_page: 100 });
      const same = await large.list({ page: 120, per_page: 100 });
      expect(page).toMatchObject({ page: 120, total: 10_000 });
      expect(page.items).toEqual(same.items);
      const next = await large.list({ q: "common usual", cursor: page.next_cursor ?? "", per_page: 100 });
      expect(next).toMatchObject({ page: 121, total: 10_000 });
      expect(next.items).toEqual((await large.list({ page: 121, per_page: 100 })).items);
    });

    test("shows the last page as the last", async () => {
      const last = await large.list({ q: "common", order: "desc", page: 200, per_page: 100 });
      expect(last).toMatchObject({ total: 10_000, next_cursor: null });
      expect(last.items.map(({ id }) => id)).toEqual(
        (await large.list({ per_page: 100 })).items.map(({ id }) => id).toReversed(),
      );
    });

    test("counts exactly where the filter or a word leaves fewer", async () => {
      expect(await large.list({ q: "common", type: "note" })).toMatchObject({ total: (LARGE - FEW - 1) / 2 });
      expect(await large.list({ q: "common", type: "few" })).toMatchObject({ total: FEW });
      expect(await large.list({ q: "common usual zebra" })).toMatchObject({ total: FEW });
    });
  });
});

type Row = Record<(typeof recordSorts)[number], string | number>;

/** All values are ASCII here, which every way to compare sorts alike. */
function sorted(rows: readonly Row[], { sort, order }: (typeof orders)[number]): Row[] {
  const ascending = rows.toSorted((left, right) => {
    if (left[sort] !== right[sort]) return left[sort] < right[sort] ? -1 : 1;
    return left.id < right.id ? -1 : 1;
  });
  return order === "asc" ? ascending : ascending.reverse();
}
