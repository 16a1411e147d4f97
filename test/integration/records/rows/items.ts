import { absentIds, itemRows as anyItemRows, type ItemIds } from "../../scenarios/rows/items.ts";
import { endpointNames, itemEndpoints } from "../support/endpoints.ts";
import type { Scenario } from "../support/scenario.ts";
import type { World } from "../support/world.ts";

export const idsOf = ({ first, theirs, unknown, home }: World): ItemIds => ({
  own: first,
  theirs,
  unknown,
  otherKind: home.users.editor,
});

const deleted: Scenario[] = itemEndpoints.map((at) => ({
  at,
  why: "the id of a deleted record",
  change: ({ gone }) => ({ id: gone }),
  expected: { status: 404, code: "not_found" },
}));

const bulkDeletes: Scenario[] = [
  ...absentIds.map(
    ({ why, id }): Scenario => ({
      at: "DELETE /v1/data/bulk-delete",
      why: `one of its own and ${why}`,
      change: (world) => ({ body: { ids: [id(idsOf(world)), world.second] } }),
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

/** Ids, and whose they are. */
export const itemRows: readonly Scenario[] = [
  ...anyItemRows({ names: endpointNames }, idsOf),
  ...deleted,
  ...bulkDeletes,
];
