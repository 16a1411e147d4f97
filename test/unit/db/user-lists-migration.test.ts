import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "@jest/globals";
import { DataSource } from "typeorm";
import type { Database } from "../../../db/database.ts";
import { reindex } from "../../../db/listing/reindex.ts";
import { migrations } from "../../../db/migrations/index.ts";
import { openDatabase } from "../../../db/open-database.ts";
import { hashApiKey } from "../../../lib/api-key.ts";
import type { Config } from "../../../lib/config.ts";
import { newId } from "../../../lib/ids.ts";
import { Outbox } from "../../../mixins/outbox.ts";
import { Keys } from "../../../services/keys/keys.ts";
import type { UserRow } from "../../../services/users/user.entity.ts";
import { listUsers } from "../../../services/users/user-list.ts";
import { reindexedUsers } from "../../../services/users/user-reindex.ts";
import { UserWriter } from "../../../services/users/user-writer.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

type Storage = Config["storage"];

const FIRST_OF_USER_LISTS = 1795219200003;
const USERS = 60;
const NOW_MS = 1_800_000_000_000;
const never = new AbortController().signal;

/** TypeORM's view of a database, with the migrations that there were before users had lists. */
async function earlierProgram({ databaseUrl, dataDir }: Storage): Promise<DataSource> {
  const earlier = migrations.filter(({ name }) => Number(name.slice(-13)) < FIRST_OF_USER_LISTS);
  return await new DataSource(
    databaseUrl === undefined
      ? {
          type: "better-sqlite3",
          database: join(dataDir, "workspace-data.sqlite"),
          migrations: earlier,
        }
      : { type: "mysql", url: databaseUrl, migrations: earlier },
  ).initialize();
}

const roleAt = (at: number) => (["admin", "editor", "viewer"] as const)[at % 3] ?? "viewer";
const statusAt = (at: number) => (at % 4 === 3 ? "inactive" : "active");

/** A database as the program of before left it: two workspaces with users, each with a key. */
async function fillAsBefore(storage: Storage): Promise<void> {
  const source = await earlierProgram(storage);
  await source.runMigrations({ transaction: "none" });
  for (const workspace of ["ws_1", "ws_2"]) {
    await source.query("INSERT INTO workspaces (id, name, created_at) VALUES (?, ?, ?)", [
      workspace,
      "W",
      NOW_MS,
    ]);
    for (let at = 0; at < USERS; at += 1) {
      const id = newId("user", NOW_MS);
      await source.query(
        `INSERT INTO users (id, workspace_id, email, email_key, name, role, status, created_at, updated_at)
          VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
        [
          id,
          workspace,
          `U${at}@x.test`,
          `u${at}@x.test`,
          `Zebra ${at}`,
          roleAt(at),
          statusAt(at),
          NOW_MS,
          NOW_MS,
        ],
      );
      await source.query(
        "INSERT INTO api_keys (id, workspace_id, user_id, name, hash, hint, created_at) VALUES (?, ?, ?, 'k', ?, 'h', 1)",
        [newId("key", NOW_MS), workspace, id, hashApiKey(`${workspace} ${at}`)],
      );
    }
  }
  await source.destroy();
}

describeOnBothDatabases("a database of before users had lists", (_open, freshStorage) => {
  let storage: Storage;
  let database: Database;
  const caller = { workspaceId: "ws_1", userId: "usr_x", keyId: "key_x", role: "admin" } as const;
  const list = (params: Parameters<typeof listUsers>[2]) => listUsers(database.read, caller, params);
  const users = () => database.read.query<UserRow>("SELECT * FROM users ORDER BY id");

  beforeAll(async () => {
    storage = await freshStorage();
    await fillAsBefore(storage);
    database = await openDatabase(storage);
  });

  afterAll(() => database.close());

  test("keeps every user and every key", async () => {
    const rows = await users();
    expect(rows).toHaveLength(2 * USERS);
    expect(rows.every(({ words, name }) => words === null && name.startsWith("Zebra"))).toBe(true);
    const keys = new Keys(database);
    for (const at of [0, 1, 2]) {
      expect(await keys.authenticate(hashApiKey(`ws_2 ${at}`))).toMatchObject({ role: roleAt(at) });
    }
    const [count] = await database.read.query("SELECT COUNT(*) AS count FROM api_keys");
    expect(count).toEqual({ count: 2 * USERS });
  });

  test("counts its users by role and status", async () => {
    const places = Array.from({ length: USERS }, (_, at) => at);
    for (const role of [undefined, "admin", "editor", "viewer"] as const) {
      for (const status of [undefined, "active", "inactive"] as const) {
        const expected = places
          .filter((at) => role === undefined || roleAt(at) === role)
          .filter((at) => status === undefined || statusAt(at) === status);
        expect(await list({ role, status, per_page: 1 })).toMatchObject({ total: expected.length });
      }
    }
  });

  test("lists its users at once, and finds them once the index is made", async () => {
    expect((await list({ sort: "name", per_page: 100 })).items).toHaveLength(USERS);
    expect(await list({ q: "zebra" })).toMatchObject({ items: [], total: 0 });
    expect(await reindex(database, reindexedUsers, never)).toMatchObject({ looked: 2 * USERS });
    expect(await list({ q: "zebra" })).toMatchObject({ total: USERS });
    expect((await list({ q: "u7 test" })).items).toMatchObject([{ email: "U7@x.test" }]);
    expect(await reindex(database, reindexedUsers, never)).toEqual({ looked: 0, mended: 0 });
  });

  test("leaves no counter of nothing when its users go", async () => {
    const writer = new UserWriter({ outbox: new Outbox(database, () => {}), accessChanged: async () => {} });
    const [first, ...others] = (await users()).filter(({ workspace_id }) => workspace_id === "ws_1");
    for (const { id } of others) await writer.remove(caller, id);
    const counts = await database.read.query(
      "SELECT role, status, count FROM user_counts WHERE workspace_id = 'ws_1' ORDER BY role",
    );
    expect(counts).toEqual(["", "admin"].map((role) => ({ role, status: "active", count: 1 })));
    expect(await list({})).toMatchObject({ items: [{ id: first?.id }], total: 1 });
  });
});

describeOnBothDatabases("the migration to lists of users", (_open, freshStorage) => {
  test("gives back what was before, keys included, and can be done again", async () => {
    const storage = await freshStorage();
    await fillAsBefore(storage);
    await (await openDatabase(storage)).close();
    const migration = migrations.find(({ name }) => name.endsWith(String(FIRST_OF_USER_LISTS)));
    if (!migration) throw new Error("The migration is missing.");
    const source = await earlierProgram(storage);
    const runner = source.createQueryRunner();
    await new migration().down(runner);
    expect(await runner.hasColumn("users", "words")).toBe(false);
    // Twice: MariaDB may have done some of it when it broke off.
    await new migration().up(runner);
    await new migration().up(runner);
    await runner.release();
    const [sum] = await source.query("SELECT SUM(count) AS sum FROM user_counts WHERE role = ''");
    expect(Number(sum.sum)).toBe(2 * USERS);
    const [keys] = await source.query("SELECT COUNT(*) AS count FROM api_keys");
    expect(Number(keys.count)).toBe(2 * USERS);
    await source.destroy();
  });
});
