import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { roles } from "../../../../lib/caller.ts";
import {
  type ListUsersParams,
  type UserResource,
  userSorts,
  userStatuses,
} from "../../../../services/users/user.schema.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { walkByCursor, walkByPage } from "../../../support/list-walks.ts";
import { newUserWorkspace, type UserWorkspace } from "./support/test-users.ts";
import { modelList } from "./support/user-model.ts";

/** By UTF-16 unit the emoji would come before the full-width tilde, by code point behind it. */
const NAMES = ["～", "😀", "a", "B", "a ", "é", "e\u0301", "\uffff", "\u{10000}", "a", "10", "9"];
/** Upper case comes before lower case, whatever the address is compared by. */
const emailAt = (at: number) => `${["a", "B", "ä", "Z", "z"][at % 5]}${at % 7}.${at}@x.test`;

const filters: ListUsersParams[] = [
  {},
  { role: "viewer" },
  { status: "inactive" },
  { role: "editor", status: "active" },
];
const orders = userSorts.flatMap((sort) => (["asc", "desc"] as const).map((order) => ({ sort, order })));

/** Users of all roles and statuses, many of them with equal values, updated in another order than made. */
async function fill({ caller, writer, clock, create }: UserWorkspace): Promise<void> {
  for (let at = 0; at < 59; at += 1) {
    const role = roles[((at * 5) % 7) % roles.length];
    const { id } = await create({ email: emailAt(at), name: NAMES[at % NAMES.length], role });
    const status = userStatuses[((at * 11) % 13) % userStatuses.length];
    // A third of the updates fall on one moment.
    clock.tickMs = at % 3;
    if (at % 4 !== 0) await writer.update(caller, { id, status });
    clock.tickMs = 1;
  }
}

describeOnBothDatabases("a list of users", (open) => {
  let database: Database;
  let workspace: UserWorkspace;
  let users: UserResource[];

  beforeAll(async () => {
    database = await open();
    workspace = await newUserWorkspace(database);
    const other = await newUserWorkspace(database);
    await fill(other);
    await fill(workspace);
    users = (await workspace.list({ per_page: 100 })).items;
  });

  test("has, without parameters, the first 20 users as they were created", async () => {
    expect(await workspace.list()).toStrictEqual({
      items: modelList(users, { sort: "id" }).slice(0, 20),
      page: 1,
      per_page: 20,
      total: 60,
      next_cursor: expect.any(String),
    });
  });

  describe.each(filters)("filtered by %j", (filter) => {
    test.each(orders)("sorted by $sort $order is the model's, by page as by cursor", async (order) => {
      const params: ListUsersParams = { ...filter, ...order, per_page: 7 };
      const expected = modelList(users, params);
      expect(expected.length).toBeGreaterThan(7);
      const byPage = await walkByPage(workspace.list, params);
      expect(byPage.flatMap(({ items }) => items)).toStrictEqual(expected);
      expect(await walkByCursor(workspace.list, params)).toStrictEqual(byPage);
      for (const [at, { page, per_page, total }] of byPage.entries()) {
        expect({ page, per_page, total }).toEqual({ page: at + 1, per_page: 7, total: expected.length });
      }
    });

    test("and searched is the model's in every order", async () => {
      for (const q of ["a", "x test", "b1", "é", "9"]) {
        for (const order of orders) {
          const params = { ...filter, ...order, q, per_page: 100 };
          const expected = modelList(users, params);
          expect(await workspace.list(params)).toMatchObject({ items: expected, total: expected.length });
        }
      }
    });
  });

  test("serves more than 100 a page as 100 and says so", async () => {
    expect(await workspace.list({ per_page: 5_000 })).toMatchObject({ per_page: 100, total: 60 });
  });

  test("is of one workspace alone, and so are its cursors", async () => {
    const empty = await newUserWorkspace(database);
    expect(await empty.list()).toMatchObject({ items: [{ id: empty.caller.userId }], total: 1 });
    expect(await empty.list({ q: "x" })).toMatchObject({ items: [], total: 0 });
    const { next_cursor } = await workspace.list({ per_page: 10 });
    await expect(empty.list({ cursor: next_cursor ?? "" })).rejects.toMatchObject({
      errorCode: "invalid_request",
      details: [{ path: "cursor" }],
    });
  });

  test("takes a cursor only for the filters and the order that it was made for", async () => {
    const made: ListUsersParams = { sort: "email", order: "asc", role: "viewer" };
    const cursor = (await workspace.list({ ...made, per_page: 3 })).next_cursor ?? "";
    expect(await workspace.list({ ...made, per_page: 5, cursor, page: 7 })).toMatchObject({ page: 2 });
    const others: ListUsersParams[] = [
      { ...made, order: "desc" },
      { ...made, sort: "name" },
      { ...made, role: "editor" },
      { ...made, status: "active" },
      { ...made, q: "a" },
      { sort: "email" },
    ];
    for (const params of others) {
      await expect(workspace.list({ ...params, cursor })).rejects.toMatchObject({
        errorCode: "invalid_request",
        details: [{ path: "cursor" }],
      });
    }
  });

  test("refuses page numbers beyond 100,000 users, and names the cursor", async () => {
    await expect(workspace.list({ page: 1_001, per_page: 100 })).rejects.toMatchObject({
      errorCode: "invalid_request",
      details: [{ path: "page", message: expect.stringContaining("cursor") }],
    });
  });
});

describeOnBothDatabases("a search for users", (open) => {
  let workspace: UserWorkspace;

  beforeAll(async () => {
    workspace = await newUserWorkspace(await open());
    await workspace.create({
      name: "Ada Lovelace",
      email: "countess@Analytical-Engine.example",
      role: "editor",
    });
    await workspace.create({ name: "Jürgen Müller", email: "j.mueller@例子.公司" });
    await workspace.create({ name: "李 明", email: "o'brien+tag@example.com" });
  });

  test.each([
    { q: "ada", finds: ["Ada Lovelace"] },
    { q: "LOVE countess", finds: ["Ada Lovelace"] },
    { q: "analytical-engine", finds: ["Ada Lovelace"] },
    { q: "countess@analytical-engine.example", finds: ["Ada Lovelace"] },
    { q: "engine.exam ada", finds: ["Ada Lovelace"] },
    { q: "jurgen", finds: ["Jürgen Müller"] },
    { q: "例子", finds: ["Jürgen Müller"] },
    { q: "李", finds: ["李 明"] },
    { q: "brien tag", finds: ["李 明"] },
    { q: "example", finds: ["Ada Lovelace", "李 明"] },
    { q: "ovelace", finds: [] },
    { q: "ada brien", finds: [] },
    { q: "editor", finds: [] },
    { q: "active", finds: [] },
    { q: "", finds: [] },
    { q: "@", finds: [] },
  ])("finds $finds for $q", async ({ q, finds }) => {
    const { items, total } = await workspace.list({ q });
    expect({ names: items.map(({ name }) => name), total }).toEqual({ names: finds, total: finds.length });
  });
});
