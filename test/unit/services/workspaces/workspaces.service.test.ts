import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import type { Config } from "../../../../lib/config.ts";
import { databaseMiddleware } from "../../../../mixins/database.middleware.ts";
import { firstStartOf } from "../../../../mixins/first-start.ts";
import { validationMiddleware } from "../../../../mixins/validation.middleware.ts";
import type {
  CreatedWorkspace,
  WorkspaceResource,
} from "../../../../services/workspaces/workspace.schema.ts";
import workspacesService from "../../../../services/workspaces/workspaces.service.ts";
import { freshSqliteStorage } from "../../../support/databases.ts";

const CHOSEN_KEY = "a-key-that-an-operator-chose";

let storage: Config["storage"];
let broker: ServiceBroker;
let logged: string[];

/** Starts the service on the test's database, with BOOTSTRAP_API_KEY as given. */
async function start(bootstrapKey?: string, schema = workspacesService): Promise<void> {
  if (bootstrapKey === undefined) delete process.env.BOOTSTRAP_API_KEY;
  else process.env.BOOTSTRAP_API_KEY = bootstrapKey;
  logged = [];
  broker = new ServiceBroker({
    logger: false,
    skipProcessEventRegistration: true,
    registry: { stopDelay: 0 },
    middlewares: [
      databaseMiddleware(storage),
      validationMiddleware(),
      { newLogEntry: (level, words) => logged.push(`${level}: ${words.join(" ")}`) },
    ],
  });
  broker.createService(schema);
  await broker.start();
}

const warnings = () => logged.filter((line) => line.startsWith("warn"));

beforeEach(async () => {
  storage = await freshSqliteStorage();
});

afterEach(async () => {
  await broker.stop();
  delete process.env.BOOTSTRAP_API_KEY;
});

describe("a first start", () => {
  test("tells the workspace and the key that it made, and logs no key", async () => {
    await start();
    const made = firstStartOf(broker);
    expect(made?.workspaceId).toMatch(/^ws_/);
    expect(made?.key).toMatch(/^wds_[0-9A-Za-z]{40,}$/);
    expect(logged.join("\n")).not.toContain(made?.key);
  });

  test("takes BOOTSTRAP_API_KEY, and neither tells nor logs it", async () => {
    await start(CHOSEN_KEY);
    expect(firstStartOf(broker)).toEqual({ workspaceId: expect.stringMatching(/^ws_/), key: undefined });
    expect(logged.join("\n")).not.toContain(CHOSEN_KEY);
    expect(warnings()).toEqual([]);
  });

  test("is none on a broker that is told so, nor where the service does not run", async () => {
    await start(undefined, { ...workspacesService, settings: { provisionFirst: false } });
    expect(firstStartOf(broker)).toBeUndefined();
    expect(await broker.call("workspaces.list", {})).toEqual([]);
    expect(firstStartOf(new ServiceBroker({ logger: false }))).toBeUndefined();
  });
});

describe("a later start", () => {
  test("makes nothing and says nothing, with or without the key of the first", async () => {
    await start(CHOSEN_KEY);
    for (const key of [CHOSEN_KEY, undefined]) {
      await broker.stop();
      await start(key);
      expect(firstStartOf(broker)).toBeUndefined();
      expect(warnings()).toEqual([]);
    }
  });

  test("says in one line that it does not use another BOOTSTRAP_API_KEY", async () => {
    await start();
    await broker.stop();
    await start(CHOSEN_KEY);
    expect(warnings()).toEqual([expect.stringContaining("BOOTSTRAP_API_KEY opens nothing")]);
    expect(logged.join("\n")).not.toContain(CHOSEN_KEY);
    expect(await broker.call("workspaces.list", {})).toHaveLength(1);
  });
});

describe("the actions", () => {
  test("make and list workspaces", async () => {
    await start();
    const made = await broker.call<CreatedWorkspace, object>("workspaces.create", {
      name: "Acme",
      email: "ada@acme.example",
    });
    const listed = await broker.call<WorkspaceResource[], object>("workspaces.list", {});
    expect(listed.map(({ name }) => name)).toEqual(["Acme", "Default"]);
    expect(listed[0]).toEqual(made.workspace);
  });

  test.each([
    ["workspaces.create", { name: "Acme" }, "email"],
    ["workspaces.create", { name: "Acme", email: "ada" }, "email"],
    ["workspaces.create", { name: "", email: "ada@acme.example" }, "name"],
    ["workspaces.create", { name: "Acme", email: "ada@acme.example", user_name: " " }, "user_name"],
    ["workspaces.create", { name: "n".repeat(256), email: "ada@acme.example" }, "name"],
    ["workspaces.list", { limit: 0 }, "limit"],
  ])("%s refuses %j with 400 and names the member", async (action, params, path) => {
    await start();
    await expect(broker.call(action, params)).rejects.toMatchObject({
      errorCode: "invalid_request",
      details: [{ path }],
    });
  });
});
