import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import type { UserPatch } from "../../../../services/users/user.schema.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { newUserWorkspace, type UserWorkspace } from "./support/test-users.ts";
import { dumpUsers } from "./support/user-tables.ts";

type Loss = (workspace: UserWorkspace, id: string) => Promise<unknown>;

const patching =
  (patch: Omit<UserPatch, "id">): Loss =>
  ({ caller, writer }, id) =>
    writer.update(caller, { id, ...patch });

/** Every way in which a workspace can lose an admin. */
const losses: { by: string; lose: Loss }[] = [
  { by: "removal", lose: ({ caller, writer }, id) => writer.remove(caller, id) },
  { by: "deactivation", lose: patching({ status: "inactive" }) },
  { by: "demotion to editor", lose: patching({ role: "editor" }) },
  { by: "demotion to viewer", lose: patching({ role: "viewer" }) },
  { by: "all at once", lose: patching({ name: "Nobody", role: "viewer", status: "inactive" }) },
  { by: "deactivation with the same role", lose: patching({ role: "admin", status: "inactive" }) },
];

describeOnBothDatabases("the last active admin", (open) => {
  let database: Database;
  let workspace: UserWorkspace;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    workspace = await newUserWorkspace(database);
  });

  const activeAdmins = async ({ list }: UserWorkspace = workspace) =>
    (await list({ role: "admin", status: "active" })).items.map(({ id }) => id);

  describe.each(losses)("cannot go by $by", ({ lose }) => {
    test("where there is nobody else, or only others who are no active admins", async () => {
      await workspace.create({ role: "editor" });
      const inactive = await workspace.create({ role: "admin" });
      await workspace.writer.update(workspace.caller, { id: inactive.id, status: "inactive" });
      // Another workspace's admins are no help.
      await newUserWorkspace(database);
      const before = await dumpUsers(database.read, workspace.caller);
      const told = [workspace.notices.length, workspace.access.changes];
      await expect(lose(workspace, workspace.caller.userId)).rejects.toMatchObject({
        errorCode: "conflict",
        code: 409,
      });
      expect(await dumpUsers(database.read, workspace.caller)).toEqual(before);
      expect([workspace.notices.length, workspace.access.changes]).toEqual(told);
    });

    test("but can where another one is there, whichever of them came first", async () => {
      const second = await workspace.create({ role: "admin" });
      await lose(workspace, workspace.caller.userId);
      expect(await activeAdmins()).toEqual([second.id]);
      const third = await workspace.create({ role: "admin" });
      await lose(workspace, third.id);
      expect(await activeAdmins()).toEqual([second.id]);
    });

    test("and stays where two or more go at once", async () => {
      for (const count of [2, 3, 6]) {
        const crowd = await newUserWorkspace(database);
        const ids = [crowd.caller.userId];
        while (ids.length < count) ids.push((await crowd.create({ role: "admin" })).id);
        const outcomes = await Promise.allSettled(ids.map((id) => lose(crowd, id)));
        const refusals = outcomes.flatMap((outcome) =>
          outcome.status === "rejected" ? [outcome.reason.errorCode] : [],
        );
        expect({ count, refusals }).toEqual({ count, refusals: ["conflict"] });
        expect(await activeAdmins(crowd)).toHaveLength(1);
      }
    });
  });

  test("can be renamed, and can get what they are anyway", async () => {
    const { caller, writer } = workspace;
    for (const patch of [{ name: "New" }, { role: "admin" as const }, { status: "active" as const }]) {
      await writer.update(caller, { id: caller.userId, ...patch });
    }
    expect(await activeAdmins()).toEqual([caller.userId]);
  });

  test("may go once another one is made an admin, and once one is active again", async () => {
    const { caller, writer, create } = workspace;
    const { id } = await create({ role: "viewer" });
    await expect(writer.remove(caller, caller.userId)).rejects.toMatchObject({ errorCode: "conflict" });
    await writer.update(caller, { id, role: "admin", status: "inactive" });
    await expect(writer.remove(caller, caller.userId)).rejects.toMatchObject({ errorCode: "conflict" });
    await writer.update(caller, { id, status: "active" });
    await writer.remove(caller, caller.userId);
    expect(await activeAdmins()).toEqual([id]);
  });

  test("stays whatever removals, demotions, promotions and changes of names come at once", async () => {
    const { caller, writer, create } = workspace;
    const ids = [caller.userId];
    for (const role of ["admin", "admin", "editor", "viewer"] as const) ids.push((await create({ role })).id);
    const outcomes = await Promise.allSettled(
      ids.flatMap((id) => [
        writer.update(caller, { id, name: "Renamed" }),
        writer.update(caller, { id, role: "viewer" }),
        writer.update(caller, { id, role: "admin" }),
        writer.update(caller, { id, status: "inactive" }),
        writer.remove(caller, id),
      ]),
    );
    const codes = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason.errorCode] : [],
    );
    expect([...new Set(codes)].filter((code) => !["conflict", "not_found"].includes(code))).toEqual([]);
    expect((await activeAdmins()).length).toBeGreaterThanOrEqual(1);
  });
});
