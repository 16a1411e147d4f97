import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import BetterSqlite from "better-sqlite3";
import gatewayService from "../../../services/gateway/gateway.service.ts";
import keysService from "../../../services/keys/keys.service.ts";
import { type App, type AppOptions, startApp } from "../../support/app.ts";
import { request } from "../../support/http.ts";
import { overloadRows } from "../scenarios/rows/overload.ts";
import { titleOf } from "../scenarios/scenario.ts";
import { usual } from "./rows/usual.ts";
import type { Scenario } from "./support/scenario.ts";
import { newRunner, type Runner, stage } from "./support/stage.ts";

const rows = overloadRows(stage);
let app: App;
let runner: Runner;

function useApp(options: () => Promise<AppOptions>): void {
  beforeAll(async () => {
    app = await startApp(await options());
    runner = newRunner(app);
  });

  afterAll(async () => {
    await app.stop();
  });
}

describe("keys that have used their requests", () => {
  useApp(async () => ({ env: { RATE_LIMIT_REQUESTS: "1", RATE_LIMIT_WINDOW_SECONDS: "3600" } }));

  beforeAll(async () => {
    const { keys } = (await runner.sharedWorld()).home;
    for (const key of Object.values(keys)) {
      expect((await request(app, "GET", "/v1/data", { key })).status).toBe(200);
    }
  });

  for (const row of rows.spent) test(titleOf(row), () => runner.run(row));
});

describe("without the service of records", () => {
  useApp(async () => ({
    createServices: (broker) => {
      broker.createService(keysService);
      broker.createService(gatewayService);
    },
  }));

  for (const row of rows.unavailable) test(titleOf(row), () => runner.run(row));
});

describe("a database that another process holds", () => {
  let dataDir: string;
  let other: BetterSqlite.Database;

  useApp(async () => {
    dataDir = await mkdtemp(path.join(tmpdir(), "workspace-data-"));
    return { env: { DATA_DIR: dataDir } };
  });

  beforeAll(async () => {
    await runner.sharedWorld();
    other = new BetterSqlite(path.join(dataDir, "workspace-data.sqlite"));
  });

  afterEach(() => {
    if (other.inTransaction) other.exec("ROLLBACK");
  });

  afterAll(async () => {
    other.close();
    await rm(dataDir, { recursive: true, force: true });
  });

  test("refuses writes with 503 within ten seconds, and answers reads meanwhile", async () => {
    other.exec("BEGIN IMMEDIATE");
    const startedAtMs = performance.now();
    const writes = rows.locked.map((row) => runner.run(row));
    await runner.run({ at: "GET /v1/data", why: "meanwhile", expected: usual["GET /v1/data"] });
    await Promise.all(writes);
    expect(performance.now() - startedAtMs).toBeLessThan(10_000);
  });

  test.each(rows.locked)("$at works again afterwards", async ({ at }) => {
    const row: Scenario = { at, why: "afterwards", expected: usual[at] };
    await runner.run(row);
  });
});
