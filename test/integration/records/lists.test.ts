import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { compareCodePoints } from "../../../lib/compare-code-points.ts";
import {
  type NewRecord,
  type RecordResource,
  recordSorts,
  recordStatuses,
} from "../../../services/records/record.schema.ts";
import { type App, startApp } from "../../support/app.ts";
import { request, type Target } from "../../support/http.ts";
import { searchCases, searchDocuments } from "../../support/search-fixtures.ts";
import { list, walk } from "./support/walks.ts";
import { newWorld } from "./support/world.ts";

let app: App;

beforeAll(async () => {
  app = await startApp({ env: { RATE_LIMIT_REQUESTS: "0" } });
});

afterAll(async () => {
  await app.stop();
});

/** A workspace without records, and a key that writes there. */
async function emptyWorkspace(): Promise<Target> {
  const { home, first, second, third } = await newWorld(app.broker);
  const target = { port: app.port, key: home.keys.editor };
  await request(target, "DELETE", "/v1/data/bulk-delete", { body: { ids: [first, second, third] } });
  return target;
}

async function create(target: Target, records: readonly NewRecord[]): Promise<RecordResource[]> {
  const answer = await request<RecordResource[]>(target, "POST", "/v1/data/bulk-create", {
    body: { records },
  });
  expect(answer.status).toBe(201);
  return answer.body.data;
}

const orders = ["asc", "desc"] as const;
const idsOf = (records: readonly RecordResource[]) => records.map(({ id }) => id);

describe("a list over HTTP", () => {
  const names = ["b", "a", "～", "😀", "a ", "É", "e", "B"];
  const types = ["task", "note", "memo"];
  let target: Target;
  let all: RecordResource[];

  beforeAll(async () => {
    target = await emptyWorkspace();
    const made = await create(
      target,
      Array.from({ length: 24 }, (_, at) => ({ name: `${names[at % 8]}`, type: `${types[at % 3]}` })),
    );
    for (const [at, { id }] of made.entries()) {
      if (at % 4 === 3) continue;
      const body = { status: recordStatuses[(at * 5) % 3] };
      expect((await request(target, "PATCH", `/v1/data/${id}`, { body })).status).toBe(200);
    }
    all = (await list(target, { per_page: "100" })).body.data;
    expect(idsOf(all)).toEqual(idsOf(made));
  });

  const cases = recordSorts.flatMap((sort) => orders.map((order) => ({ sort, order })));

  test.each(cases)("by $sort, $order, is sorted by code point, then by id", async ({ sort, order }) => {
    const sign = order === "asc" ? 1 : -1;
    const sorted = all.toSorted(
      (left, right) =>
        sign * (compareCodePoints(left[sort], right[sort]) || compareCodePoints(left.id, right.id)),
    );
    expect((await list(target, { sort, order, per_page: "100" })).body.data).toEqual(sorted);
    expect((await walk(target, { sort, order, per_page: "7" })).flat()).toEqual(sorted);
    const second = await list(target, { sort, order, per_page: "7", page: "2" });
    expect(second.body.data).toEqual(sorted.slice(7, 14));
  });

  const filters = [...types, "nosuch", undefined].flatMap((type) =>
    [...recordStatuses, "nosuch", undefined].map((status) => ({ type, status })),
  );

  test.each(filters)("of the type $type and the status $status has these alone", async ({ type, status }) => {
    const matching = all.filter(
      (record) => [undefined, record.type].includes(type) && [undefined, record.status].includes(status),
    );
    const params = { ...(type ? { type } : {}), ...(status ? { status } : {}), per_page: "2" };
    const { body } = await list(target, params);
    expect(body.data).toEqual(matching.slice(0, 2));
    expect(body.meta).toEqual({
      page: 1,
      per_page: 2,
      total: matching.length,
      next_cursor: matching.length > 2 ? expect.any(String) : null,
    });
    expect((await walk(target, params)).flat()).toEqual(matching);
  });
});

describe("a walk by cursor over HTTP", () => {
  const walks = [
    ...recordSorts.flatMap((sort) => orders.map((order) => ({ sort, order, q: undefined, type: undefined }))),
    { sort: "name", order: "asc", q: "steady", type: undefined },
    { sort: "updated_at", order: "desc", q: undefined, type: "note" },
  ] as const;

  test.each(walks)(
    "shows what stays exactly once, sort=$sort order=$order q=$q type=$type",
    async ({ sort, order, q, type }) => {
      const target = await emptyWorkspace();
      const named = (at: number) => ({
        name: `steady ${(at * 7) % 10}`,
        type: at % 5 === 0 ? "note" : "task",
      });
      const made = await create(
        target,
        Array.from({ length: 40 }, (_, at) => ({ ...named(at), type: type ?? named(at).type })),
      );
      const staying = new Set(idsOf(made.filter((_, at) => at % 4 !== 0)));
      const going = idsOf(made.filter(({ id }) => !staying.has(id)));
      const query = { sort, order, per_page: "6", ...(q ? { q } : {}), ...(type ? { type } : {}) };

      const pages = await walk(target, query, async (shown) => {
        // What was just shown goes too: a cursor does not need the record that it was made at.
        const last = shown.at(-1);
        const ids = [...going.splice(0, 2), ...(last && !staying.has(last.id) ? [last.id] : [])];
        if (ids.length > 0) await request(target, "DELETE", "/v1/data/bulk-delete", { body: { ids } });
        if (shown.length > 0) await create(target, [{ name: "steady 0", type: "note" }]);
        if (shown.length > 0) await create(target, [{ name: "steady 99", type: "zebra" }]);
      });

      const seen = idsOf(pages.flat());
      expect(seen.filter((id) => staying.has(id)).sort()).toEqual([...staying].sort());
      expect(new Set(seen).size).toBe(seen.length);
    },
  );
});

describe("a search over HTTP", () => {
  let target: Target;
  const keyOf = new Map<string, string>();

  beforeAll(async () => {
    target = await emptyWorkspace();
    const made = await create(
      target,
      searchDocuments.map(({ name, fields }) => ({ name, type: "note", fields })),
    );
    for (const [at, { id }] of made.entries()) keyOf.set(id, searchDocuments[at]?.key ?? "");
  });

  test.each(searchCases)("$why: $q", async ({ q, finds }) => {
    const { body } = await list(target, { q, per_page: "100" });
    expect(body.data.map(({ id }) => keyOf.get(id))).toEqual(finds);
    expect(body.meta.total).toBe(finds.length);
  });

  test("finds what a patch brought and no longer what it took, and nothing of what was deleted", async () => {
    const [record] = await create(target, [{ name: "Bandicoot", type: "note", fields: { a: "wombat" } }]);
    const path = `/v1/data/${record?.id}`;
    const totalOf = async (q: string) => (await list(target, { q })).body.meta.total;
    await request(target, "PATCH", path, { body: { fields: { a: "numbat" } } });
    expect([await totalOf("bandi"), await totalOf("wombat"), await totalOf("numbat")]).toEqual([1, 0, 1]);
    await request(target, "DELETE", path);
    expect([await totalOf("bandi"), await totalOf("wombat"), await totalOf("numbat")]).toEqual([0, 0, 0]);
  });
});
