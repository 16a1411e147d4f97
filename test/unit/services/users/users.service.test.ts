import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Context, ServiceBroker } from "moleculer";
import type { Caller } from "../../../../lib/caller.ts";
import { databaseMiddleware, databaseOf } from "../../../../mixins/database.middleware.ts";
import { validationMiddleware } from "../../../../mixins/validation.middleware.ts";
import type { UserResource } from "../../../../services/users/user.schema.ts";
import usersService from "../../../../services/users/users.service.ts";
import type { CreatedWorkspace } from "../../../../services/workspaces/workspace.schema.ts";
import workspacesService from "../../../../services/workspaces/workspaces.service.ts";
import { freshSqliteStorage } from "../../../support/databases.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { quietBroker } from "../../mixins/support/quiet-broker.ts";

type Storage = Awaited<ReturnType<typeof freshSqliteStorage>>;

const heard: string[] = [];
let storage: Storage;
let broker: ServiceBroker;
let caller: Caller;

const start = async (): Promise<ServiceBroker> => {
  const started = quietBroker(databaseMiddleware(storage), validationMiddleware());
  for (const service of [usersService, workspacesService]) started.createService(service);
  const note = async (event: string) => {
    heard.push(event);
  };
  started.createService({
    name: "listener",
    events: {
      "keys.changed": () => note("keys.changed"),
      "user.*": ({ eventName }: Context) => note(eventName ?? ""),
    },
  });
  await started.start();
  return started;
};

const call = <Result>(action: string, params: object) =>
  broker.call<Result, object>(`users.${action}`, params, { meta: { caller } });
const newUser = (name: string) =>
  call<UserResource>("create", { email: `${name}@example.com`, name, role: "admin" });

beforeAll(async () => {
  storage = await freshSqliteStorage();
  broker = await start();
  const made: CreatedWorkspace = await broker.call("workspaces.create", { name: "A", email: "a@b.test" });
  caller = { workspaceId: made.workspace.id, userId: made.user.id, keyId: made.key.id, role: "admin" };
});

beforeEach(() => {
  heard.length = 0;
});

afterAll(() => broker.stop());

test("whoever reads needs to be no more than a viewer, and whoever changes users an admin", () => {
  const permissions = Object.entries(usersService.actions ?? {}).map(([name, action]) => [name, action]);
  expect(Object.fromEntries(permissions)).toMatchObject({
    list: { permission: "read" },
    get: { permission: "read" },
    create: { permission: "administer" },
    update: { permission: "administer" },
    remove: { permission: "administer" },
  });
  expect(permissions).toHaveLength(5);
});

describe("before the answer, the nodes are told", () => {
  test("that a user was invited, and nothing of keys", async () => {
    await newUser("grace");
    expect(heard).toEqual(["user.invited"]);
  });

  test("that keys open something else, where a role or status was changed", async () => {
    const { id } = await newUser("edsger");
    heard.length = 0;
    await call("update", { id, name: "Edsger" });
    expect(heard).toEqual([]);
    await call("update", { id, role: "viewer" });
    await call("update", { id, status: "inactive" });
    expect(heard).toEqual(["keys.changed", "keys.changed"]);
  });

  test("that keys are gone, where a user was removed", async () => {
    const { id } = await newUser("barbara");
    heard.length = 0;
    expect(await call("remove", { id })).toBeNull();
    expect(heard.toSorted()).toEqual(["keys.changed", "user.removed"]);
  });
});

test.each([
  ["create", { email: "x@example.com", name: "X" }, "invalid_request"],
  ["create", { email: "x@example.com", name: "X", role: "owner" }, "invalid_request"],
  ["create", { email: "nobody", name: "X", role: "viewer" }, "invalid_request"],
  ["create", { email: "A@B.test", name: "X", role: "viewer" }, "conflict"],
  ["update", { id: "usr_nobody", email: "x@example.com" }, "invalid_request"],
  ["update", { id: "usr_nobody", role: "owner" }, "unprocessable"],
  ["update", { id: "usr_nobody", name: "X" }, "not_found"],
  ["remove", { id: "usr_nobody" }, "not_found"],
  ["list", { role: "owner" }, "unprocessable"],
  ["list", { page: 0 }, "invalid_request"],
  ["get", { id: "usr_nobody" }, "not_found"],
])("%s %j is refused as %s, writes nothing and tells nobody", async (action, params, errorCode) => {
  const contents = () =>
    Promise.all(
      ["users", "user_words", "user_counts", "events"].map((table) =>
        databaseOf(broker).read.query(`SELECT * FROM ${table}`),
      ),
    );
  const before = await contents();
  await expect(call(action, params)).rejects.toMatchObject({ errorCode });
  expect(await contents()).toEqual(before);
  expect(heard).toEqual([]);
});

test("a call without a caller is refused: nobody said whose users they are", async () => {
  await expect(broker.call("users.list", {})).rejects.toThrow("needs a caller");
});

test("a start makes the index of users that have none yet, beside the service", async () => {
  await newUser("zebra");
  await databaseOf(broker).transaction(async (transaction) => {
    await transaction.execute("UPDATE users SET words = NULL");
    for (const table of ["user_words", "settings"]) await transaction.execute(`DELETE FROM ${table}`);
  });
  expect(await call("list", { q: "zebra" })).toMatchObject({ total: 0 });
  await broker.stop();
  broker = await start();
  const found = await waitFor(
    async () => {
      const list = await call<{ items: UserResource[]; total: number }>("list", { q: "zebra" });
      return list.total > 0 && list;
    },
    { what: "the index to be made" },
  );
  expect(found).toMatchObject({ items: [{ name: "zebra" }], total: 1 });
});
