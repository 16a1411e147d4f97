import { itemEndpointsOf, type RefusedRow } from "../scenario.ts";

/** Ids that an endpoint can be asked for. */
export interface ItemIds {
  readonly own: string;
  /** The same kind's, of the other workspace. */
  readonly theirs: string;
  /** The same kind's, that nothing ever had. */
  readonly unknown: string;
  /** Another kind's, of the home workspace. */
  readonly otherKind: string;
}

/** Ids under which the home workspace has nothing. */
export const absentIds: readonly { readonly why: string; readonly id: (ids: ItemIds) => string }[] = [
  { why: "an id that nobody has", id: ({ unknown }) => unknown },
  { why: "the id of another workspace's item", id: ({ theirs }) => theirs },
  { why: "an id in small letters", id: ({ own }) => own.toLowerCase() },
  { why: "an id with a space behind it", id: ({ own }) => `${own} ` },
  { why: "an id without its prefix", id: ({ own }) => own.slice(own.indexOf("_") + 1) },
  { why: "an id with its prefix twice", id: ({ own }) => own.slice(0, own.indexOf("_") + 1) + own },
  { why: "the id of another kind of thing", id: ({ otherKind }) => otherKind },
  { why: "a word as the id", id: () => "nonsense" },
  { why: "an id with an emoji", id: () => "rec_😀" },
  { why: "an id with a slash", id: () => "rec_/../1" },
  { why: "an id of 2,000 letters", id: () => "x".repeat(2_000) },
  { why: "SQL as the id", id: () => "' OR '1'='1" },
  { why: "a wildcard as the id", id: () => "%" },
  { why: "the name of every object's member as the id", id: () => "__proto__" },
];

/** Ids, and whose they are, at every endpoint that names an item. */
export function itemRows<Name extends string, World>(
  area: { readonly names: readonly Name[] },
  idsAt: (world: World, at: Name) => ItemIds,
): RefusedRow<Name, World>[] {
  return itemEndpointsOf(area).flatMap((at) => [
    ...absentIds.map(
      ({ why, id }): RefusedRow<Name, World> => ({
        at,
        why,
        change: (world) => ({ id: id(idsAt(world, at)) }),
        expected: { status: 404, code: "not_found" },
      }),
    ),
    {
      at,
      why: "an id with U+0000",
      change: { id: "rec_\u0000" },
      expected: { status: 400, code: "invalid_request", paths: ["id"] },
    },
  ]);
}
