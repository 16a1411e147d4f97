import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Database, Transaction } from "../../../../db/database.ts";
import { hashApiKey } from "../../../../lib/api-key.ts";
import { Keys } from "../../../../services/keys/keys.ts";
import { Workspaces } from "../../../../services/workspaces/workspaces.ts";
import { describeOnBothDatabases, everythingIn } from "../../../support/databases.ts";

const NOW_MS = Date.parse("2026-01-02T03:04:05.678Z");
const CHOSEN_KEY = "a-key-that-an-operator-chose";
const tables = ["workspaces", "users", "api_keys", "settings"];

const countRows = async (database: Database) => {
  const counts = await Promise.all(
    tables.map((table) => database.read.query<{ count: number }>(`SELECT COUNT(*) AS count FROM ${table}`)),
  );
  return counts.flat().map(({ count }) => count);
};

/** The same database, on which every statement that begins so fails. */
function failingOn(beginning: string, database: Database): Database {
  const failing = (transaction: Transaction): Transaction => ({
    ...transaction,
    execute: (statement, parameters) =>
      statement.startsWith(beginning)
        ? Promise.reject(new Error("The database broke down."))
        : transaction.execute(statement, parameters),
  });
  return { ...database, transaction: (work) => database.transaction((inner) => work(failing(inner))) };
}

describeOnBothDatabases("workspaces", (open) => {
  describe("create", () => {
    let database: Database;
    let workspaces: Workspaces;

    beforeAll(async () => {
      database = await open();
      workspaces = new Workspaces(database, () => NOW_MS);
    });

    test("makes a workspace, its admin user and a key that works", async () => {
      const made = await workspaces.create({ name: "Acme", email: "Ada@acme.example", user_name: "Ada" });
      expect(made).toEqual({
        workspace: {
          id: expect.stringMatching(/^ws_/),
          name: "Acme",
          created_at: new Date(NOW_MS).toISOString(),
        },
        user: {
          id: expect.stringMatching(/^usr_/),
          email: "Ada@acme.example",
          name: "Ada",
          role: "admin",
          status: "active",
        },
        key: { id: expect.stringMatching(/^key_/), key: expect.stringMatching(/^wds_[0-9A-Za-z]{40,}$/) },
      });
      expect(await new Keys(database).authenticate(hashApiKey(made.key.key))).toEqual({
        workspaceId: made.workspace.id,
        userId: made.user.id,
        keyId: made.key.id,
        role: "admin",
      });
    });

    test("stores nothing that has the key in it", async () => {
      const { workspace, key } = await workspaces.create({ name: "Acme", email: "ada@acme.example" });
      const stored = await everythingIn(database);
      expect(stored).toContain(workspace.id);
      expect(stored).not.toContain(key.key);
      expect(stored).not.toContain(key.key.slice("wds_".length + 4));
    });

    test("lets workspaces have the same name and the same admin", async () => {
      const twin = { name: "Twin", email: "twin@example.com" };
      const [one, other] = [await workspaces.create(twin), await workspaces.create(twin)];
      expect(one.workspace.id).not.toBe(other.workspace.id);
    });

    test("makes one for each of many at once", async () => {
      const before = (await workspaces.list({ limit: 1_000 })).length;
      const many = Array.from({ length: 12 }, (_, place) => `user${place}@example.com`);
      await Promise.all(many.map((email) => workspaces.create({ name: "Many", email })));
      expect(await workspaces.list({ limit: 1_000 })).toHaveLength(before + many.length);
    });

    test("refuses what is no email address with 400, and makes nothing", async () => {
      const before = await countRows(database);
      await expect(workspaces.create({ name: "Acme", email: "ada" })).rejects.toMatchObject({
        errorCode: "invalid_request",
        details: [{ path: "email", message: "must be an email address" }],
      });
      expect(await countRows(database)).toEqual(before);
    });

    test.each(["INSERT INTO users", "INSERT INTO api_keys"])(
      "leaves nothing where %s fails",
      async (step) => {
        const before = await countRows(database);
        const broken = new Workspaces(failingOn(step, database));
        await expect(broken.create({ name: "Acme", email: "ada@acme.example" })).rejects.toThrow(
          "broke down",
        );
        expect(await countRows(database)).toEqual(before);
      },
    );
  });

  describe("list", () => {
    test("shows workspaces in pages, the newest first", async () => {
      const database = await open();
      const workspaces = new Workspaces(database, () => NOW_MS);
      expect(await workspaces.list({})).toEqual([]);
      const made = [];
      for (const name of ["one", "two", "three"]) {
        made.unshift((await workspaces.create({ name, email: "ada@acme.example" })).workspace);
      }
      expect(await workspaces.list({})).toEqual(made);
      const firstPage = await workspaces.list({ limit: 2 });
      expect(firstPage).toEqual(made.slice(0, 2));
      expect(await workspaces.list({ limit: 2, before: firstPage.at(-1)?.id })).toEqual(made.slice(2));
    });
  });

  describe("the first start", () => {
    test("makes one workspace with an admin and a key, and tells both", async () => {
      const database = await open();
      const firstStart = await new Workspaces(database).provisionFirst(undefined);
      const caller = await new Keys(database).authenticate(hashApiKey(firstStart?.key ?? ""));
      expect(caller).toMatchObject({ workspaceId: firstStart?.workspaceId, role: "admin" });
      expect(await countRows(database)).toEqual([1, 1, 1, 1]);
    });

    test("uses the key that the operator chose, and does not tell it", async () => {
      const database = await open();
      const workspaces = new Workspaces(database);
      const firstStart = await workspaces.provisionFirst(CHOSEN_KEY);
      expect(firstStart).toEqual({ workspaceId: expect.stringMatching(/^ws_/), key: undefined });
      expect(await workspaces.knowsKey(CHOSEN_KEY)).toBe(true);
      expect(await everythingIn(database)).not.toContain(CHOSEN_KEY);
    });

    test("does nothing the second time, whatever key is chosen then", async () => {
      const database = await open();
      const workspaces = new Workspaces(database);
      await workspaces.provisionFirst(undefined);
      const before = await everythingIn(database);
      expect(await workspaces.provisionFirst(CHOSEN_KEY)).toBeUndefined();
      expect(await everythingIn(database)).toBe(before);
      expect(await workspaces.knowsKey(CHOSEN_KEY)).toBe(false);
    });

    test("does nothing where an operator made a workspace before", async () => {
      const database = await open();
      const workspaces = new Workspaces(database);
      await workspaces.create({ name: "Acme", email: "ada@acme.example" });
      expect(await workspaces.provisionFirst(undefined)).toBeUndefined();
      expect(await workspaces.list({})).toHaveLength(1);
    });

    test("leaves nothing where it fails half-way, and the next one succeeds", async () => {
      const database = await open();
      const broken = new Workspaces(failingOn("INSERT INTO api_keys", database));
      await expect(broken.provisionFirst(undefined)).rejects.toThrow("broke down");
      expect(await countRows(database)).toEqual([0, 0, 0, 0]);
      expect(await new Workspaces(database).provisionFirst(undefined)).toBeDefined();
      expect(await countRows(database)).toEqual([1, 1, 1, 1]);
    });

    test("beside an operator's command makes one workspace at most", async () => {
      const database = await open();
      const workspaces = new Workspaces(database);
      const [, firstStart] = await Promise.all([
        workspaces.create({ name: "Acme", email: "ada@acme.example" }),
        workspaces.provisionFirst(undefined),
      ]);
      const names = (await workspaces.list({})).map(({ name }) => name).sort();
      expect(names).toEqual(firstStart ? ["Acme", "Default"] : ["Acme"]);
    });
  });
});
