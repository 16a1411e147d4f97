import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import {
  type ListRecordsParams,
  type RecordResource,
  recordSorts,
  recordStatuses,
} from "../../../../services/records/record.schema.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { walkByCursor, walkByPage } from "../../../support/list-walks.ts";
import { modelList } from "./support/record-model.ts";
import { newTestWorkspace, type TestWorkspace } from "./support/test-workspace.ts";

/** By UTF-16 unit the emoji would come before the full-width tilde, by code point behind it. */
const NAMES = ["～", "😀", "a", "B", "a ", "", "é", "e\u0301", "\uffff", "\u{10000}", "a", "10", "9", "～～"];
const TYPES = ["note", "task", "😀", "～"];

const filters = [{}, { type: "task" }, { status: "draft" }, { type: "task", status: "draft" }];
const orders = recordSorts.flatMap((sort) => (["asc", "desc"] as const).map((order) => ({ sort, order })));

/** Records of all types and statuses, many of them with equal values, updated in another order than made. */
async function fill({ caller, writer, clock }: TestWorkspace): Promise<void> {
  const { items: created } = await writer.createMany(
    caller,
    Array.from({ length: 84 }, (_, at) => ({
      name: NAMES[at % NAMES.length] ?? "",
      type: TYPES[((at * 5) % 7) % TYPES.length] ?? "",
    })),
  );
  for (const [at, { id }] of created.entries()) {
    const status = recordStatuses[((at * 11) % 13) % recordStatuses.length];
    // A third of the updates fall on one moment.
    clock.tickMs = at % 3;
    if (at % 4 !== 0) await writer.update(caller, { id, status });
  }
}

describeOnBothDatabases("a list of records", (open) => {
  let database: Database;
  let workspace: TestWorkspace;
  let records: RecordResource[];

  beforeAll(async () => {
    database = await open();
    workspace = newTestWorkspace(database);
    const other = newTestWorkspace(database);
    await fill(other);
    await fill(workspace);
    records = (await workspace.list({ per_page: 100 })).items;
  });

  test("has, without parameters, the first 20 records as they were created", async () => {
    expect(await workspace.list()).toStrictEqual({
      items: modelList(records, { sort: "id" }).slice(0, 20),
      page: 1,
      per_page: 20,
      total: 84,
      next_cursor: expect.any(String),
    });
  });

  test("shows each record as it is fetched alone", async () => {
    for (const record of records.slice(0, 10)) expect(await workspace.get(record.id)).toStrictEqual(record);
  });

  describe.each(filters)("filtered by %j", (filter) => {
    test.each(orders)("sorted by $sort $order is the model's, by page as by cursor", async (order) => {
      const params: ListRecordsParams = { ...filter, ...order, per_page: 8 };
      const expected = modelList(records, params);
      expect(expected.length).toBeGreaterThan(4);
      const byPage = await walkByPage(workspace.list, params);
      const byCursor = await walkByCursor(workspace.list, params);
      expect(byPage.flatMap(({ items }) => items)).toStrictEqual(expected);
      expect(byCursor).toStrictEqual(byPage);
      expect(byPage.map(({ items }) => items.length)).toEqual(pageLengths(expected.length, 8));
      for (const [at, { page, per_page, total }] of byCursor.entries()) {
        expect({ page, per_page, total }).toEqual({ page: at + 1, per_page: 8, total: expected.length });
      }
    });
  });

  test("has no next page where it ends exactly with a page, and nothing behind its end", async () => {
    expect(await workspace.list({ per_page: 42, page: 2 })).toMatchObject({ next_cursor: null });
    expect(await workspace.list({ per_page: 42, page: 1 })).toMatchObject({
      next_cursor: expect.any(String),
    });
    for (const page of [3, 1_000]) {
      expect(await workspace.list({ per_page: 42, page })).toEqual({
        items: [],
        page,
        per_page: 42,
        total: 84,
        next_cursor: null,
      });
    }
  });

  test("serves more than 100 a page as 100 and says so", async () => {
    expect(await workspace.list({ per_page: 5_000 })).toMatchObject({ per_page: 100, total: 84 });
  });

  test.each([
    { type: "nosuch" },
    { type: "task " },
    { type: "Task" },
    { type: "" },
    { status: "nosuch" },
    { status: "" },
    { status: "Active" },
    { type: "", status: "active" },
    { type: "task", status: "" },
  ])("is empty and counts nothing for %j", async (filter) => {
    for (const order of orders) {
      expect(await workspace.list({ ...filter, ...order })).toMatchObject({
        items: [],
        total: 0,
        next_cursor: null,
      });
    }
  });

  test("refuses page numbers beyond 100,000 records, and names the cursor", async () => {
    expect(await workspace.list({ page: 1_000, per_page: 100 })).toMatchObject({ items: [], total: 84 });
    await expect(workspace.list({ page: 1_001, per_page: 100 })).rejects.toMatchObject({
      code: 400,
      details: [{ path: "page", message: expect.stringContaining("cursor") }],
    });
  });

  test("is of one workspace alone, and so are its cursors", async () => {
    const empty = newTestWorkspace(database);
    expect(await empty.list()).toMatchObject({ items: [], total: 0 });
    const { next_cursor } = await workspace.list({ per_page: 10 });
    await expect(empty.list({ cursor: next_cursor ?? "" })).rejects.toMatchObject({
      code: 400,
      details: [{ path: "cursor" }],
    });
  });

  test("takes a cursor only for the filters and the order that it was made for", async () => {
    const made: ListRecordsParams = { sort: "name", order: "asc", type: "task" };
    const cursor = (await workspace.list({ ...made, per_page: 3 })).next_cursor ?? "";
    expect(await workspace.list({ ...made, per_page: 5, cursor, page: 7 })).toMatchObject({ page: 2 });
    const others: ListRecordsParams[] = [
      { ...made, order: "desc" },
      { ...made, sort: "id" },
      { ...made, type: "note" },
      { ...made, status: "draft" },
      { ...made, q: "a" },
      { sort: "name" },
    ];
    for (const params of others) {
      await expect(workspace.list({ ...params, cursor })).rejects.toMatchObject({
        code: 400,
        details: [{ path: "cursor" }],
      });
    }
  });

  test.each(["", "nosuch", "null", "W10", "😀"])("refuses %j as a cursor", async (cursor) => {
    await expect(workspace.list({ cursor })).rejects.toMatchObject({
      code: 400,
      type: "invalid_request",
      details: [{ path: "cursor" }],
    });
  });

  test.each(["1e999", "null", '"1"', "[]", "{}", "true"])(
    "refuses a cursor in which somebody made %s of the time",
    async (value) => {
      const { next_cursor } = await workspace.list({ sort: "updated_at", per_page: 3 });
      const content = Buffer.from(next_cursor ?? "", "base64url").toString();
      const tampered = content.replace(/,\d{13},/, `,${value},`);
      expect(tampered).not.toBe(content);
      const cursor = Buffer.from(tampered).toString("base64url");
      await expect(workspace.list({ sort: "updated_at", cursor })).rejects.toMatchObject({
        code: 400,
        details: [{ path: "cursor" }],
      });
    },
  );
});

function pageLengths(total: number, perPage: number): number[] {
  const full: number[] = Array(Math.floor(total / perPage)).fill(perPage);
  return total % perPage === 0 ? full : [...full, total % perPage];
}
