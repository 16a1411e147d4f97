import { describe, expect, test } from "@jest/globals";
import { comparePositions, listOrder } from "../../../../db/listing/list-order.ts";
import type { ListFilter } from "../../../../db/listing/listing.ts";
import { recordListing } from "../../../../services/records/record-listing.ts";
import { userListing } from "../../../../services/users/user-listing.ts";

const filter: ListFilter = { workspaceId: "ws_1" };
const ofGroup: ListFilter = { ...filter, group: "admin" };
const ofStatus: ListFilter = { ...filter, status: "active" };

describe("the order of a list", () => {
  test("is by creation, upwards, unless said otherwise: that is by id", () => {
    expect(listOrder(userListing, undefined, undefined, filter)).toEqual({
      column: "id",
      direction: "asc",
      valueType: "string",
      index: "users_id",
    });
    expect(listOrder(userListing, "created_at", "desc", filter)).toMatchObject({
      column: "id",
      direction: "desc",
    });
  });

  test.each([
    ["name", filter, { column: "name", index: "users_name" }],
    ["name", ofGroup, { column: "name", index: "users_role_name" }],
    ["name", ofStatus, { column: "name", index: "users_name" }],
    ["updated_at", ofGroup, { column: "updated_at", valueType: "number", index: "users_role_updated" }],
    ["role", filter, { column: "role", index: "users_role" }],
    ["status", filter, { column: "status", index: "users_id" }],
    // What the filter fixes leaves only the id.
    ["role", ofGroup, { column: "id", index: "users_role" }],
    ["role", ofStatus, { column: "role", index: "users_role" }],
    ["status", ofStatus, { column: "id", index: "users_id" }],
    ["status", ofGroup, { column: "status", index: "users_role" }],
  ] as const)("by %s of %j is read where it is ready", (sort, of, expected) => {
    expect(listOrder(userListing, sort, "asc", of)).toMatchObject(expected);
  });

  test("of each listing has an index for each sort, with a group and without", () => {
    for (const listing of [userListing, recordListing]) {
      for (const { index, groupIndex } of Object.values(listing.sorts)) {
        expect([index, groupIndex].every((name) => name.startsWith(listing.table))).toBe(true);
        expect(groupIndex.startsWith(`${listing.table}_${listing.group}`)).toBe(true);
      }
    }
  });
});

describe("positions", () => {
  const positions = [
    { value: "～", id: "b" },
    { value: "😀", id: "a" },
    { value: "a", id: "b" },
    { value: "a", id: "a" },
    { value: "", id: "c" },
  ];
  const ids = (direction: "asc" | "desc") =>
    positions.toSorted(comparePositions({ direction })).map(({ value, id }) => `${value} ${id}`);

  test("stand by code point, ties by id, all in one direction", () => {
    expect(ids("asc")).toEqual([" c", "a a", "a b", "～ b", "😀 a"]);
    expect(ids("desc")).toEqual(ids("asc").toReversed());
  });

  test("stand by number where they are numbers", () => {
    const numbers = [10, 9, -1].map((value) => ({ value, id: "a" }));
    expect(numbers.toSorted(comparePositions({ direction: "asc" })).map(({ value }) => value)).toEqual([
      -1, 9, 10,
    ]);
  });
});
