import { afterAll, beforeAll, beforeEach, expect, jest, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { hashApiKey } from "../../../../lib/api-key.ts";
import { databaseMiddleware } from "../../../../mixins/database.middleware.ts";
import { validationMiddleware } from "../../../../mixins/validation.middleware.ts";
import type { CreatedKey } from "../../../../services/keys/key.schema.ts";
import keysService from "../../../../services/keys/keys.service.ts";
import type { CreatedWorkspace } from "../../../../services/workspaces/workspace.schema.ts";
import workspacesService from "../../../../services/workspaces/workspaces.service.ts";
import { freshSqliteStorage } from "../../../support/databases.ts";

let broker: ServiceBroker;
let acme: CreatedWorkspace;
const keysChanged = jest.fn<() => void>();

beforeAll(async () => {
  broker = new ServiceBroker({
    logger: false,
    skipProcessEventRegistration: true,
    middlewares: [databaseMiddleware(await freshSqliteStorage()), validationMiddleware()],
  });
  broker.createService(keysService);
  broker.createService(workspacesService);
  broker.createService({ name: "listener", events: { "keys.changed": () => keysChanged() } });
  await broker.start();
  acme = await broker.call("workspaces.create", { name: "Acme", email: "ada@acme.example" });
});

beforeEach(() => {
  keysChanged.mockClear();
});

afterAll(async () => {
  await broker.stop();
});

test("every action is for operators alone", () => {
  const actions = [keysService, workspacesService].flatMap(({ actions }) => Object.values(actions ?? {}));
  expect(actions).toHaveLength(6);
  for (const action of actions) expect(action).toMatchObject({ permission: "operate" });
});

test("a key is made, let in, listed, revoked, and let in no more", async () => {
  const made = await broker.call<CreatedKey, object>("keys.create", { user_id: acme.user.id, name: "CI" });
  const hash = hashApiKey(made.key);
  expect(await broker.call("keys.authenticate", { hash })).toMatchObject({ keyId: made.id, role: "admin" });
  const listed = await broker.call<unknown[], object>("keys.list", { workspace_id: acme.workspace.id });
  expect(listed).toHaveLength(2);
  await broker.call("keys.revoke", { id: made.id });
  expect(await broker.call("keys.authenticate", { hash })).toBeNull();
});

test("a revocation is announced before it is answered, a refused one is not", async () => {
  const made = await broker.call<CreatedKey, object>("keys.create", { user_id: acme.user.id });
  expect(keysChanged).not.toHaveBeenCalled();
  await broker.call("keys.revoke", { id: made.id });
  expect(keysChanged).toHaveBeenCalledTimes(1);
  await expect(broker.call("keys.revoke", { id: "key_none" })).rejects.toMatchObject({ code: 404 });
  expect(keysChanged).toHaveBeenCalledTimes(1);
});

test.each([
  ["keys.authenticate", {}, "hash"],
  ["keys.authenticate", { hash: "wds_the-key-itself" }, "hash"],
  ["keys.create", { name: "CI" }, "user_id"],
  ["keys.create", { user_id: "usr_1", name: " " }, "name"],
  ["keys.create", { user_id: "usr_1", name: "n".repeat(256) }, "name"],
  ["keys.create", { user_id: "usr_1", role: "admin" }, "role"],
  ["keys.list", { limit: 1_001 }, "limit"],
  ["keys.revoke", {}, "id"],
])("%s refuses %j with 400 and names the member", async (action, params, path) => {
  await expect(broker.call(action, params)).rejects.toMatchObject({
    errorCode: "invalid_request",
    details: [{ path }],
  });
});

test("an optional member may be given as undefined, as from a command line", async () => {
  const params = { user_id: acme.user.id, name: undefined };
  expect(await broker.call("keys.create", params)).toMatchObject({ name: "API key" });
});
