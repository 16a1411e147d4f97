import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import type { Caller } from "../../../../lib/caller.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { newUserWorkspace, type UserWorkspace, unknownId } from "./support/test-users.ts";
import { dumpUsers, payloadsOf } from "./support/user-tables.ts";

const ada = { email: "Ada.Lovelace@Example.com", name: " Ada ", role: "editor" } as const;

describeOnBothDatabases("a user", (open) => {
  let database: Database;
  let workspace: UserWorkspace;

  beforeAll(async () => {
    database = await open();
  });

  const dump = () => dumpUsers(database.read, workspace.caller);

  /** Runs an attempt that must be refused, and shows that it changed nothing and told nobody. */
  const expectRefused = async (attempt: () => Promise<unknown>, refusal: object) => {
    const before = await dump();
    const told = [workspace.notices.length, workspace.access.changes];
    await expect(attempt()).rejects.toMatchObject({ name: "ServiceError", ...refusal });
    expect(await dump()).toEqual(before);
    expect([workspace.notices.length, workspace.access.changes]).toEqual(told);
  };

  describe("that is created", () => {
    beforeAll(async () => {
      workspace = await newUserWorkspace(database);
    });

    test("is active, kept as given, and shown with its members in the interface's order", async () => {
      const user = await workspace.create(ada);
      const at = new Date(workspace.clock.nowMs).toISOString();
      expect(user).toEqual({
        id: expect.stringMatching(/^usr_/),
        ...ada,
        status: "active",
        created_at: expect.any(String),
        updated_at: user.created_at,
      });
      expect(user.created_at <= at).toBe(true);
      expect(Object.keys(user)).toEqual([
        "id",
        "email",
        "name",
        "role",
        "status",
        "created_at",
        "updated_at",
      ]);
      expect(await workspace.get(user.id)).toStrictEqual(user);
      expect(Object.keys(await workspace.get(user.id))).toEqual(Object.keys(user));
    });

    test("is told of as a whole with who invited", async () => {
      const before = (await dump()).events.length;
      const user = await workspace.create();
      const tables = await dump();
      expect(payloadsOf(tables).slice(before)).toMatchObject([
        { event: "user.invited", data: { ...user, invited_by: workspace.caller.userId } },
      ]);
      expect(workspace.notices.at(-1)).toEqual({ event: "user.invited", ids: [tables.events.at(-1)?.id] });
    });

    test.each(["", " ", "ada", "ada@", "ada lovelace@example.com", `ada@${"a".repeat(250)}.com`])(
      "is refused with 400 where %j is to be the address",
      async (email) => {
        await expectRefused(() => workspace.create({ email }), {
          errorCode: "invalid_request",
          details: [{ path: "email", message: "must be an email address" }],
        });
      },
    );

    test("is refused with 409 where another has the address, whatever its case", async () => {
      await workspace.create({ email: "Grace@Example.com" });
      for (const email of ["Grace@Example.com", "gRACE@example.COM"]) {
        await expectRefused(() => workspace.create({ email }), {
          errorCode: "conflict",
          details: [{ path: "email" }],
        });
      }
    });

    test("may have the address of another workspace's user, and that of one who was removed", async () => {
      const email = "shared@example.com";
      const { create } = await newUserWorkspace(database);
      await create({ email });
      const first = await workspace.create({ email });
      await workspace.writer.remove(workspace.caller, first.id);
      expect((await workspace.create({ email })).id).not.toBe(first.id);
    });
  });

  test("is created once by ten requests at once that differ in case, with one event", async () => {
    workspace = await newUserWorkspace(database);
    const forms = Array.from({ length: 10 }, (_, at) =>
      [..."racer@example.com"].map((letter, place) => ((at >> place) & 1 ? letter.toUpperCase() : letter)),
    );
    const outcomes = await Promise.allSettled(
      forms.map((form) => workspace.create({ email: form.join("") })),
    );
    const created = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value] : []));
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason.errorCode] : [],
    );
    expect(created).toHaveLength(1);
    expect(refusals).toEqual(Array(9).fill("conflict"));
    const tables = await dump();
    expect(payloadsOf(tables).map(({ event, data }) => [event, data.id])).toEqual([
      ["user.invited", created[0]?.id],
    ]);
    expect(tables.users).toHaveLength(2);
    expect(workspace.notices).toHaveLength(1);
    expect((await workspace.list({ q: "racer" })).items).toEqual(created);
    expect((await workspace.list({ role: "viewer" })).total).toBe(1);
  });

  describe("that is changed", () => {
    beforeAll(async () => {
      workspace = await newUserWorkspace(database);
    });

    test.each([
      { name: "Grace" },
      { role: "admin" as const },
      { status: "inactive" as const },
      { name: "Grace", role: "viewer" as const, status: "inactive" as const },
    ])("takes %j and keeps all else, at a later moment even where the clock stands still", async (patch) => {
      const user = await workspace.create({ role: "editor" });
      const events = (await dump()).events.length;
      workspace.clock.tickMs = 0;
      workspace.clock.nowMs = Date.parse(user.created_at);
      const updated = await workspace.writer.update(workspace.caller, { id: user.id, ...patch });
      const again = await workspace.writer.update(workspace.caller, { id: user.id, name: "Again" });
      workspace.clock.tickMs = 1;
      expect(updated).toEqual({ ...user, ...patch, updated_at: expect.any(String) });
      expect(updated.updated_at > user.updated_at).toBe(true);
      expect(again.updated_at > updated.updated_at).toBe(true);
      expect(await workspace.get(user.id)).toStrictEqual(again);
      expect((await dump()).events).toHaveLength(events);
    });

    test.each([{}, { name: undefined, role: undefined, status: undefined }])(
      "by %j stays as it is",
      async (patch) => {
        const user = await workspace.create();
        const before = [await dump(), workspace.access.changes];
        expect(await workspace.writer.update(workspace.caller, { id: user.id, ...patch })).toStrictEqual(
          user,
        );
        expect([await dump(), workspace.access.changes]).toEqual(before);
      },
    );

    test("is found by its new name and its address, and no longer by its old name", async () => {
      const user = await workspace.create({ name: "Zebra", email: "okapi@example.com" });
      const updated = await workspace.writer.update(workspace.caller, { id: user.id, name: "Gnu" });
      for (const q of ["gnu", "okapi"]) expect((await workspace.list({ q })).items).toEqual([updated]);
      expect(await workspace.list({ q: "zebra" })).toMatchObject({ items: [], total: 0 });
    });

    test("is said to open something else exactly where role or status is another one", async () => {
      const { id } = await workspace.create({ role: "editor" });
      const changesBy = async (patch: object) => {
        const before = workspace.access.changes;
        await workspace.writer.update(workspace.caller, { id, ...patch });
        return workspace.access.changes - before;
      };
      expect(await changesBy({ name: "Grace" })).toBe(0);
      expect(await changesBy({ role: "editor", status: "active" })).toBe(0);
      expect(await changesBy({})).toBe(0);
      expect(await changesBy({ role: "viewer" })).toBe(1);
      expect(await changesBy({ status: "inactive" })).toBe(1);
      expect(await changesBy({ status: "active" })).toBe(1);
    });
  });

  describe("that is removed", () => {
    beforeAll(async () => {
      workspace = await newUserWorkspace(database);
    });

    test("is gone with its words, counts and keys, and told of as it was last", async () => {
      const empty = await dump();
      const { id } = await workspace.create({ name: "Zebra" });
      const last = await workspace.writer.update(workspace.caller, { id, status: "inactive" });
      await database.transaction((transaction) =>
        transaction.execute(
          `INSERT INTO api_keys (id, workspace_id, user_id, name, hash, hint, created_at)
            VALUES (?, ?, ?, 'k', ?, 'h', 1)`,
          [`key_of_${id}`.slice(0, 40), workspace.caller.workspaceId, id, id],
        ),
      );
      expect((await dump()).keys).toHaveLength(empty.keys.length + 1);
      const changes = workspace.access.changes;
      await workspace.writer.remove(workspace.caller, id);
      const { events, pending: _pending, ...left } = await dump();
      expect(left).toEqual({ ...empty, events: undefined, pending: undefined });
      expect(JSON.parse(events.at(-1)?.payload ?? "{}")).toMatchObject({
        event: "user.removed",
        data: { ...last, removed_by: workspace.caller.userId },
      });
      expect(workspace.access.changes).toBe(changes + 1);
      await expect(workspace.get(id)).rejects.toMatchObject({ errorCode: "not_found" });
    });

    test("can be removed once", async () => {
      const { id } = await workspace.create();
      const outcomes = await Promise.allSettled(
        Array.from({ length: 5 }, () => workspace.writer.remove(workspace.caller, id)),
      );
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      await expectRefused(() => workspace.writer.remove(workspace.caller, id), { errorCode: "not_found" });
      const removals = payloadsOf(await dump()).filter(
        ({ event, data }) => event === "user.removed" && data.id === id,
      );
      expect(removals).toHaveLength(1);
    });
  });

  test("of another workspace is 404, exactly like one that does not exist", async () => {
    workspace = await newUserWorkspace(database);
    const other = await newUserWorkspace(database);
    const theirs = await other.create();
    const theirsBefore = await dumpUsers(database.read, other.caller);
    const { caller, writer, get } = workspace;
    const attempts = (id: string) => [
      () => get(id),
      () => writer.update(caller, { id, name: "Mine" }),
      () => writer.update(caller, { id, role: "viewer" }),
      () => writer.update(caller, { id }),
      () => writer.remove(caller, id),
    ];
    for (const id of [theirs.id, other.caller.userId, unknownId(), "", "usr_", "x".repeat(5_000)]) {
      for (const attempt of attempts(id)) {
        await expectRefused(attempt, { errorCode: "not_found", message: "No user with this id." });
      }
    }
    expect(await dumpUsers(database.read, other.caller)).toEqual(theirsBefore);
  });

  test("may act on behalf of another admin: the event names who acted", async () => {
    workspace = await newUserWorkspace(database);
    const second = await workspace.create({ role: "admin" });
    const caller: Caller = { ...workspace.caller, userId: second.id };
    await workspace.writer.remove(caller, workspace.caller.userId);
    expect(payloadsOf(await dump()).at(-1)?.data).toMatchObject({
      id: workspace.caller.userId,
      removed_by: second.id,
    });
  });
});
