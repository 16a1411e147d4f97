import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { hashApiKey, isMistyped } from "../../../../lib/api-key.ts";
import { Keys } from "../../../../services/keys/keys.ts";
import type { CreatedWorkspace } from "../../../../services/workspaces/workspace.schema.ts";
import { Workspaces } from "../../../../services/workspaces/workspaces.ts";
import { describeOnBothDatabases, everythingIn } from "../../../support/databases.ts";

const START_MS = Date.parse("2026-01-02T03:04:05.678Z");
const MINUTE_MS = 60_000;

describeOnBothDatabases("keys", (open) => {
  let database: Database;
  let keys: Keys;
  let acme: CreatedWorkspace;
  let other: CreatedWorkspace;
  let nowMs = START_MS;
  const clock = () => nowMs;

  const setUser = (id: string, column: "role" | "status", value: string) =>
    database.transaction((transaction) =>
      transaction.execute(`UPDATE users SET ${column} = ? WHERE id = ?`, [value, id]),
    );
  const authenticate = (key: string) => keys.authenticate(hashApiKey(key));

  beforeAll(async () => {
    database = await open();
    keys = new Keys(database, clock);
    const workspaces = new Workspaces(database, clock);
    acme = await workspaces.create({ name: "Acme", email: "ada@acme.example" });
    other = await workspaces.create({ name: "Other", email: "ben@other.example" });
  });

  beforeEach(() => {
    nowMs += MINUTE_MS;
  });

  describe("authenticate", () => {
    test("gives the workspace, the user, the key and the user's role", async () => {
      const made = await keys.create({ user_id: acme.user.id });
      const caller = { workspaceId: acme.workspace.id, userId: acme.user.id, keyId: made.id };
      expect(await authenticate(made.key)).toEqual({ ...caller, role: "admin" });
      await setUser(acme.user.id, "role", "viewer");
      expect(await authenticate(made.key)).toEqual({ ...caller, role: "viewer" });
      await setUser(acme.user.id, "role", "admin");
    });

    test("tells keys of different workspaces apart", async () => {
      expect((await authenticate(acme.key.key))?.workspaceId).toBe(acme.workspace.id);
      expect((await authenticate(other.key.key))?.workspaceId).toBe(other.workspace.id);
    });

    test("gives null for an unknown key", async () => {
      expect(await authenticate("wds_nobody-has-this-key")).toBeNull();
    });

    test("gives null for a revoked key, and still lets the user's other keys in", async () => {
      const made = await keys.create({ user_id: acme.user.id });
      await keys.revoke(made.id);
      expect(await authenticate(made.key)).toBeNull();
      expect(await authenticate(acme.key.key)).not.toBeNull();
    });

    test("gives null while the user is inactive", async () => {
      await setUser(other.user.id, "status", "inactive");
      expect(await authenticate(other.key.key)).toBeNull();
      await setUser(other.user.id, "status", "active");
      expect(await authenticate(other.key.key)).not.toBeNull();
    });

    test("gives null once the user is removed, and the key's row is gone with them", async () => {
      const gone = await new Workspaces(database, clock).create({ name: "Gone", email: "eve@gone.example" });
      await database.transaction((transaction) =>
        transaction.execute("DELETE FROM users WHERE id = ?", [gone.user.id]),
      );
      expect(await authenticate(gone.key.key)).toBeNull();
      expect(await keys.list({ workspace_id: gone.workspace.id })).toEqual([]);
    });
  });

  describe("create", () => {
    test("shows the key once, and what it is", async () => {
      const made = await keys.create({ user_id: acme.user.id, name: "CI" });
      expect(made).toEqual({
        id: expect.stringMatching(/^key_/),
        name: "CI",
        user_id: acme.user.id,
        workspace_id: acme.workspace.id,
        key: expect.stringMatching(/^wds_[0-9A-Za-z]{40,}$/),
        hint: made.key.slice(0, 8),
        created_at: new Date(nowMs).toISOString(),
      });
      expect(isMistyped(made.key)).toBe(false);
    });

    test("stores nothing that has the key in it", async () => {
      const made = await keys.create({ user_id: acme.user.id, name: "secret" });
      const stored = await everythingIn(database);
      expect(stored).toContain(made.id);
      expect(stored).toContain(hashApiKey(made.key));
      expect(stored).not.toContain(made.key.slice("wds_".length + 4));
      expect(stored).not.toContain(made.key);
      expect(stored).not.toContain(acme.key.key);
    });

    test("refuses an unknown user with 404", async () => {
      await expect(keys.create({ user_id: "usr_none" })).rejects.toMatchObject({ errorCode: "not_found" });
    });

    test("refuses an inactive user with 409, and makes no key", async () => {
      const before = await keys.list({ workspace_id: other.workspace.id });
      await setUser(other.user.id, "status", "inactive");
      await expect(keys.create({ user_id: other.user.id })).rejects.toMatchObject({ errorCode: "conflict" });
      await setUser(other.user.id, "status", "active");
      expect(await keys.list({ workspace_id: other.workspace.id })).toEqual(before);
    });
  });

  describe("list", () => {
    test("shows a workspace's keys, the newest first, without key and hash", async () => {
      const later = await keys.create({ user_id: other.user.id, name: "later" });
      const shared = {
        user_id: other.user.id,
        user_email: "ben@other.example",
        role: "admin",
        workspace_id: other.workspace.id,
        revoked_at: null,
      };
      expect(await keys.list({ workspace_id: other.workspace.id })).toEqual([
        { ...shared, id: later.id, name: "later", hint: later.hint, created_at: later.created_at },
        {
          ...shared,
          id: other.key.id,
          name: "First key",
          hint: other.key.key.slice(0, 8),
          created_at: other.workspace.created_at,
        },
      ]);
    });

    test("shows when a key was revoked", async () => {
      const made = await keys.create({ user_id: acme.user.id });
      await keys.revoke(made.id);
      const [listed] = await keys.list({ workspace_id: acme.workspace.id, limit: 1 });
      expect(listed).toMatchObject({ id: made.id, revoked_at: new Date(nowMs).toISOString() });
    });

    test("walks through all keys in pages", async () => {
      const all = (await keys.list({ limit: 1_000 })).map(({ id }) => id);
      const walked: string[] = [];
      for (;;) {
        const page = await keys.list({ limit: 2, before: walked.at(-1) });
        if (page.length === 0) break;
        walked.push(...page.map(({ id }) => id));
      }
      expect(walked).toEqual(all);
      expect(all).toEqual([...all].sort().reverse());
      expect(all).toContain(acme.key.id);
      expect(all).toContain(other.key.id);
    });

    test("shows 100 keys unless told otherwise", async () => {
      for (let count = 0; count < 101; count += 1) await keys.create({ user_id: acme.user.id });
      expect(await keys.list({ workspace_id: acme.workspace.id })).toHaveLength(100);
    });
  });

  describe("revoke", () => {
    test("is harmless the second time, and the first time stays", async () => {
      const made = await keys.create({ user_id: acme.user.id });
      const first = await keys.revoke(made.id);
      expect(first).toEqual({ id: made.id, revoked_at: new Date(nowMs).toISOString() });
      nowMs += MINUTE_MS;
      expect(await keys.revoke(made.id)).toEqual(first);
    });

    test("refuses an unknown key with 404", async () => {
      await expect(keys.revoke("key_none")).rejects.toMatchObject({ errorCode: "not_found" });
    });
  });
});
