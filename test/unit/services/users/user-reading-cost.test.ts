import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { newId } from "../../../../lib/ids.ts";
import { Outbox } from "../../../../mixins/outbox.ts";
import { insertUser } from "../../../../services/users/user.repository.ts";
import { type ListUsersParams, userSorts } from "../../../../services/users/user.schema.ts";
import { getUser, listUsers } from "../../../../services/users/user-list.ts";
import { UserWriter } from "../../../../services/users/user-writer.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { growingSteps, rowsRead } from "../../../support/query-plan.ts";
import { type IssuedStatement, watchDatabase, watchSql } from "../../../support/watched-sql.ts";
import { newUserWorkspace, type UserWorkspace } from "./support/test-users.ts";

/** More than a word may have to be looked at closely: what has that many is common everywhere. */
const SMALL = 300;
const LARGE = 1_500;
/** As many users as have the rare word, whatever the size of the workspace. */
const FEW = 15;
/** So many users are fetched by one statement. */
const PER_PAGE = 8;
/** Counters of one role and status are spread over as many rows at most. */
const MAX_COUNTER_ROWS = 16;

const orders = userSorts.flatMap((sort) => (["asc", "desc"] as const).map((order) => ({ sort, order })));
const filters: ListUsersParams[] = [
  {},
  { role: "viewer" },
  { status: "inactive" },
  { role: "viewer", status: "active" },
];

/** A workspace of so many users: half of them viewers, every tenth inactive, the first few found by `zebra`. */
async function fill(database: Database, users: number): Promise<UserWorkspace> {
  const workspace = await newUserWorkspace(database);
  await database.transaction(async (transaction) => {
    transaction.expectChanges(users * 12);
    for (let at = 0; at < users; at += 1) {
      await insertUser(transaction, {
        id: newId("user", workspace.clock.read()),
        workspace_id: workspace.caller.workspaceId,
        email: `user${at}@common.test`,
        name: at < FEW ? "Usual zebra" : "Usual",
        role: at % 2 === 0 ? "viewer" : "editor",
        status: at % 10 === 9 ? "inactive" : "active",
        created_at: workspace.clock.read(),
      });
    }
  });
  return workspace;
}

describeOnBothDatabases("reading a large workspace's users", (open) => {
  let database: Database;
  let small: UserWorkspace;
  let large: UserWorkspace;

  beforeAll(async () => {
    database = await open();
    small = await fill(database, SMALL);
    large = await fill(database, LARGE);
  });

  /** Statements of the first page, of one behind a cursor and of one by number. */
  const statementsOf = async ({ caller }: UserWorkspace, params: ListUsersParams) => {
    const issued: IssuedStatement[] = [];
    const list = (more: ListUsersParams) =>
      listUsers(watchSql(database.read, issued), caller, { ...params, per_page: PER_PAGE, ...more });
    const { next_cursor } = await list({});
    await list({ cursor: next_cursor ?? undefined });
    await list({ page: 3 });
    return issued;
  };

  const expectNoGrowingStep = async (issued: readonly IssuedStatement[]) => {
    expect(issued.length).toBeGreaterThan(0);
    for (const one of new Map(issued.map((one) => [one.statement, one])).values()) {
      expect([one.statement, ...(await growingSteps(database.read, one))]).toEqual([one.statement]);
    }
  };

  /** What a statement gives and reads. SQLite does not tell what it reads; that its plans do not grow must do. */
  const costsOf = (issued: readonly IssuedStatement[]) =>
    Promise.all(
      issued.map(async (one) => {
        const { statement, rows } = one;
        if (statement.includes("user_counts")) return { statement, isFew: rows <= 2 * MAX_COUNTER_ROWS };
        return database.dialect === "sqlite"
          ? { statement, rows }
          : { statement, rows, read: await rowsRead(database.read, one) };
      }),
    );

  test.each(orders)("takes no scan and no sort, and costs the same, by $sort $order", async (order) => {
    for (const filter of filters) {
      const issued = await statementsOf(large, { ...filter, ...order });
      await expectNoGrowingStep(issued);
      expect(await costsOf(issued)).toEqual(
        await costsOf(await statementsOf(small, { ...filter, ...order })),
      );
    }
  });

  test.each([{ q: "zebra" }, { q: "common zeb" }, { q: "zebra", role: "viewer", sort: "name" }] as const)(
    "costs the same for %j",
    async (search) => {
      const issued = await statementsOf(large, search);
      await expectNoGrowingStep(issued);
      expect(await costsOf(issued)).toEqual(await costsOf(await statementsOf(small, search)));
    },
  );

  test("takes no scan for a common word, and none for a user fetched alone", async () => {
    await expectNoGrowingStep(await statementsOf(large, { q: "common usual", sort: "email" }));
    const issued: IssuedStatement[] = [];
    await getUser(watchSql(database.read, issued), large.caller, large.caller.userId);
    await expectNoGrowingStep(issued);
  });
});

/** What scans a table in a transaction locks rows of others. Databases like to scan where a table is small. */
describeOnBothDatabases("a change of users in small tables", (open) => {
  const issued: IssuedStatement[] = [];
  let database: Database;
  let workspace: UserWorkspace;
  let writer: UserWriter;

  beforeAll(async () => {
    database = await open();
    workspace = await newUserWorkspace(database);
    for (let count = 0; count < 20; count += 1) await workspace.create({ role: "admin" });
    if (database.dialect === "mysql")
      await database.read.query("ANALYZE TABLE users, user_words, user_counts");
    const watched = watchDatabase(database, issued);
    writer = new UserWriter({ outbox: new Outbox(watched, () => {}), accessChanged: async () => {} });
  });

  const expectByKey = async (statements: number) => {
    // An INSERT looks for nothing.
    const changes = issued.splice(0).filter(({ statement }) => !statement.startsWith("INSERT"));
    expect(changes.length).toBeGreaterThanOrEqual(statements);
    for (const change of changes) {
      expect([change.statement, ...(await growingSteps(database.read, change))]).toEqual([change.statement]);
    }
  };

  describe("finds rows by their keys", () => {
    test("where it demotes", async () => {
      const { id } = await workspace.create({ name: "Old words", role: "admin" });
      await writer.update(workspace.caller, { id, name: "New ones", role: "viewer", status: "inactive" });
      await expectByKey(4);
    });

    test("where it removes, and locks no more than two admins besides", async () => {
      const { id } = await workspace.create({ role: "admin" });
      await writer.remove(workspace.caller, id);
      const locked = issued.filter(({ statement }) => statement.includes("role = 'admin'"));
      expect(locked.map(({ rows }) => rows)).toEqual([2]);
      await expectByKey(4);
    });
  });
});
