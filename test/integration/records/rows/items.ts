import { itemEndpoints } from "../support/endpoints.ts";
import type { Scenario } from "../support/scenario.ts";
import type { World } from "../support/world.ts";

/** Ids under which the home workspace has no record. */
export const absentIds: readonly { readonly why: string; readonly id: (world: World) => string }[] = [
  { why: "an id that nobody has", id: ({ unknown }) => unknown },
  { why: "the id of another workspace's record", id: ({ theirs }) => theirs },
  { why: "the id of a deleted record", id: ({ gone }) => gone },
  { why: "an id in small letters", id: ({ first }) => first.toLowerCase() },
  { why: "an id with a space behind it", id: ({ first }) => `${first} ` },
  { why: "an id without its prefix", id: ({ first }) => first.slice("rec_".length) },
  { why: "the id of a user", id: ({ home }) => home.users.editor },
  { why: "a word as the id", id: () => "nonsense" },
  { why: "an id with an emoji", id: () => "rec_😀" },
  { why: "an id with a slash", id: () => "rec_/../1" },
  { why: "an id of 2,000 letters", id: () => "x".repeat(2_000) },
  { why: "SQL as the id", id: () => "' OR '1'='1" },
];

const absent: Scenario[] = itemEndpoints.flatMap((at) =>
  absentIds.map(({ why, id }) => ({
    at,
    why,
    change: (world) => ({ id: id(world) }),
    expected: { status: 404, code: "not_found" },
  })),
);

const bulkDeletes: Scenario[] = [
  ...absentIds.map(
    ({ why, id }): Scenario => ({
      at: "DELETE /v1/data/bulk-delete",
      why: `one of its own and ${why}`,
      change: (world) => ({ body: { ids: [id(world), world.second] } }),
      expected: { status: 200, meta: { deleted: 1, failed: 1 }, removes: ({ second }) => [second] },
    }),
  ),
  {
    at: "DELETE /v1/data/bulk-delete",
    why: "the same id three times",
    change: ({ second }) => ({ body: { ids: [second, second, second] } }),
    expected: { status: 200, meta: { deleted: 1, failed: 2 }, removes: ({ second }) => [second] },
  },
  {
    at: "DELETE /v1/data/bulk-delete",
    why: "duplicates, strangers and all of its own, in any order",
    change: ({ first, second, third, gone, theirs, unknown }) => ({
      body: { ids: [unknown, third, theirs, first, gone, third, second, theirs] },
    }),
    expected: {
      status: 200,
      meta: { deleted: 3, failed: 5 },
      removes: ({ first, second, third }) => [first, second, third],
    },
  },
  {
    at: "DELETE /v1/data/bulk-delete",
    why: "nothing but strangers",
    change: ({ theirs, unknown }) => ({ body: { ids: [theirs, unknown] } }),
    expected: { status: 200, meta: { deleted: 0, failed: 2 } },
  },
  {
    at: "DELETE /v1/data/bulk-delete",
    why: "an empty id",
    change: { body: { ids: [""] } },
    expected: { status: 200, meta: { deleted: 0, failed: 1 } },
  },
];

const cannotBe: Scenario[] = itemEndpoints.map((at) => ({
  at,
  why: "an id with U+0000",
  change: { id: "rec_\u0000" },
  expected: { status: 400, code: "invalid_request", paths: ["id"] },
}));

/** Ids, and whose they are. */
export const itemRows: readonly Scenario[] = [...absent, ...bulkDeletes, ...cannotBe];
