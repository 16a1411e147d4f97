import { beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { contradictions } from "../../../support/contradictions.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { newUserWorkspace, type UserWorkspace } from "./support/test-users.ts";
import { dumpUsers, payloadsOf } from "./support/user-tables.ts";

const OPERATIONS = 100;

/** One of the changes that come at once to a few users and a few addresses. */
function change({ caller, writer, create }: UserWorkspace, ids: readonly string[], at: number) {
  const id = ids[(at * 7) % ids.length] ?? "";
  const changes: (() => Promise<unknown>)[] = [
    () => writer.update(caller, { id, role: "viewer" }),
    () => writer.update(caller, { id, role: "admin", name: `okapi ${at}` }),
    () => writer.update(caller, { id, status: "inactive" }),
    () => create({ role: "admin", email: at % 2 === 0 ? `same${at % 5}@X.test` : `SAME${at % 5}@x.test` }),
    () => (at % 3 === 0 ? writer.remove(caller, id) : writer.update(caller, { id, status: "active" })),
    () => create({ name: "zebra common" }),
  ];
  return changes[at % changes.length]?.();
}

describeOnBothDatabases("changes of users at once", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  test("leave exactly what they say, and none fails but for a reason that clients understand", async () => {
    const workspace = await newUserWorkspace(database);
    const ids = [workspace.caller.userId];
    while (ids.length < 12) ids.push((await workspace.create({ role: "admin", name: "zebra" })).id);
    const outcomes = await Promise.allSettled(
      Array.from({ length: OPERATIONS }, (_, at) => change(workspace, ids, at)),
    );
    const refusals = outcomes.flatMap((outcome) =>
      outcome.status === "rejected" ? [outcome.reason.errorCode ?? outcome.reason] : [],
    );
    expect([...new Set(refusals)].filter((code) => !["conflict", "not_found"].includes(code))).toEqual([]);
    expect(await contradictions(database)).toEqual([]);

    // Who goes by the events alone knows who is there.
    const tables = await dumpUsers(database.read, workspace.caller);
    const told = new Set([workspace.caller.userId]);
    for (const { event, data } of payloadsOf(tables)) {
      if (event === "user.invited") told.add(String(data.id));
      else told.delete(String(data.id));
    }
    expect(tables.users.map(({ id }) => id)).toEqual([...told].toSorted());
    const keys = tables.users.map(({ email_key }) => email_key);
    expect(new Set(keys).size).toBe(keys.length);
    const { total } = await workspace.list({ role: "admin", status: "active" });
    expect(total).toBeGreaterThanOrEqual(1);
  });
});
