import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import type { Caller } from "../../../../lib/caller.ts";
import { databaseMiddleware, databaseOf } from "../../../../mixins/database.middleware.ts";
import { secretsMiddleware } from "../../../../mixins/secrets.middleware.ts";
import { validationMiddleware } from "../../../../mixins/validation.middleware.ts";
import type { IntegrationResource } from "../../../../services/integrations/integration.schema.ts";
import integrationsService from "../../../../services/integrations/integrations.service.ts";
import { freshSqliteStorage } from "../../../support/databases.ts";
import { quietBroker } from "../../mixins/support/quiet-broker.ts";
import { newTestIntegrations, sampleConfigs, type TestIntegrations } from "./support/test-integrations.ts";

let broker: ServiceBroker;
let acme: TestIntegrations;
const notices: string[] = [];

beforeAll(async () => {
  const storage = await freshSqliteStorage();
  const secretKey = Buffer.alloc(32, "test key");
  const secrets = { secretKey, secretKeyFile: undefined, secretKeyPrevious: undefined };
  broker = quietBroker(
    databaseMiddleware(storage),
    secretsMiddleware({ secrets, storage }),
    validationMiddleware(),
  );
  broker.createService(integrationsService);
  const note = (name: string) => () => {
    notices.push(name);
  };
  const names = ["integration.connected", "integration.disconnected", "targets.removed"];
  broker.createService({
    name: "listener",
    events: Object.fromEntries(names.map((name) => [name, note(name)])),
  });
  await broker.start();
});

beforeEach(async () => {
  notices.length = 0;
  acme = await newTestIntegrations(databaseOf(broker));
});

afterAll(async () => {
  await broker.stop();
});

const call = <Result>(action: string, params: object, caller: Caller | undefined = acme.caller) =>
  broker.call<Result, object>(`integrations.${action}`, params, { meta: { caller } });

test("each action asks for its permission", () => {
  const permissions = Object.entries(integrationsService.actions ?? {}).map(([name, action]) => [
    name,
    action,
  ]);
  expect(Object.fromEntries(permissions)).toMatchObject({
    list: { permission: "read" },
    get: { permission: "read" },
    create: { permission: "administer" },
    update: { permission: "administer" },
    remove: { permission: "administer" },
    reseal: { permission: "operate", timeout: 0 },
  });
  expect(permissions).toHaveLength(6);
});

test("an integration is connected, listed, fetched, changed and disconnected, with a broadcast where it tells", async () => {
  const made = await call<IntegrationResource>("create", { type: "slack", config: sampleConfigs.slack });
  expect(await call("list", { status: "connected" })).toEqual({ items: [made] });
  expect(await call("get", { id: made.id })).toEqual(made);
  const changed = await call<IntegrationResource>("update", { id: made.id, config: { channel: "#a" } });
  expect(changed).toEqual({ ...made, config: { ...made.config, channel: "#a" } });
  expect(notices).toEqual(["integration.connected"]);
  expect(await call("remove", { id: made.id })).toBeNull();
  expect(notices).toEqual(["integration.connected", "integration.disconnected", "targets.removed"]);
  expect(await call("list", {})).toEqual({ items: [] });
});

test("nothing works without a caller", async () => {
  await expect(broker.call("integrations.list", {})).rejects.toThrow("needs a caller");
});

test("credentials are sealed anew on demand, and the node's key is named", async () => {
  await acme.connect("slack");
  const answer = await broker.call("integrations.reseal");
  expect(answer).toEqual({ key_id: expect.stringMatching(/^[0-9a-f]{12}$/), resealed: 0, unreadable: 0 });
});

describe("params", () => {
  const tooMany = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`key${index}`, "x"]));

  test.each<[string, object, number, string]>([
    ["create", {}, 400, "type"],
    ["create", { config: {} }, 400, "type"],
    ["create", { type: null, config: {} }, 400, "type"],
    ["create", { type: "", config: {} }, 400, "type"],
    ["create", { type: "Slack", config: {} }, 400, "type"],
    ["create", { type: "teams", config: {} }, 400, "type"],
    ["create", { type: 1, config: {} }, 400, "type"],
    ["create", { type: "slack" }, 400, "config"],
    ["create", { type: "slack", config: null }, 400, "config"],
    ["create", { type: "slack", config: [] }, 400, "config"],
    ["create", { type: "slack", config: "channel" }, 400, "config"],
    ["create", { type: "slack", config: tooMany }, 400, "config"],
    ["create", { type: "github", config: {}, name: "Mine" }, 400, "name"],
    ["create", { type: "slack", config: { channel: "c" } }, 422, "config.bot_token"],
    ["update", { id: "int_1" }, 400, "config"],
    ["update", { id: "int_1", config: null }, 400, "config"],
    ["update", { id: "int_1", config: [] }, 400, "config"],
    ["update", { id: "int_1", config: tooMany }, 400, "config"],
    ["update", { id: "int_1", config: {}, type: "slack" }, 400, "type"],
    ["update", { id: "int_1", config: {}, status: "connected" }, 400, "status"],
    ["list", { status: "active" }, 422, "status"],
    ["list", { status: "" }, 422, "status"],
    ["list", { status: "CONNECTED" }, 422, "status"],
    ["list", { type: "a\u0000" }, 400, "type"],
    ["list", { page: 0 }, 400, "page"],
    ["list", { page: "x" }, 400, "page"],
    ["list", { per_page: 0 }, 400, "per_page"],
    ["list", { page: 5_001 }, 400, "page"],
    ["list", { sort: "type" }, 400, "sort"],
    ["list", { q: "slack" }, 400, "q"],
    ["reseal", { all: true }, 400, "all"],
  ])("of %s are not %j: %i", async (action, params, code, path) => {
    const refusal = await call(action, params).catch((error: unknown) => error);
    expect(refusal).toMatchObject({ code });
    expect(refusal).toMatchObject({ details: expect.arrayContaining([expect.objectContaining({ path })]) });
    expect([await acme.rows(), await acme.events()]).toEqual([[], []]);
  });

  test("over a limit are told the limit", async () => {
    await expect(call("create", { type: "slack", config: tooMany })).rejects.toThrow(
      "config must have at most 20 members.",
    );
  });
});
