import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import BetterSqlite from "better-sqlite3";
import gatewayService from "../../../services/gateway/gateway.service.ts";
import keysService from "../../../services/keys/keys.service.ts";
import { type App, type AppOptions, startApp } from "../../support/app.ts";
import { request } from "../../support/http.ts";
import { overloadRows } from "./rows/overload.ts";
import { type AnySuccess, type Area, titleOf } from "./scenario.ts";
import type { ScenarioRunner } from "./scenario-runner.ts";
import type { Sides } from "./sides.ts";

export interface Overload<Name extends string, World extends Sides, Success extends AnySuccess, Given, Dump> {
  readonly area: Area<Name, World, Success>;
  /** An endpoint that reads, and its path. */
  readonly reading: Name;
  readonly readingPath: string;
  /** Settings that the area needs; asked for in a hook. */
  readonly env?: () => Readonly<Record<string, string>>;
  readonly newRunner: (app: App) => ScenarioRunner<Name, World, Success, Given, Dump>;
}

/** A program of its own for the tests around it. */
export function useApp(options: () => Promise<AppOptions>, started: (app: App) => void): void {
  let app: App;
  beforeAll(async () => {
    app = await startApp(await options());
    started(app);
  });
  afterAll(async () => {
    await app.stop();
  });
}

/** What is answered to keys that ask too often, without services, and while another process holds the database. */
export function describeOverload<
  Name extends string,
  World extends Sides,
  Success extends AnySuccess,
  Given,
  Dump,
>({
  area,
  reading,
  readingPath,
  env = () => ({}),
  newRunner,
}: Overload<Name, World, Success, Given, Dump>): void {
  const rows = overloadRows(area);
  let app: App;
  let runner: ReturnType<typeof newRunner>;

  const useRunner = (options: () => Promise<AppOptions>) =>
    useApp(
      async () => {
        const own = await options();
        return { ...own, env: { ...env(), ...own.env } };
      },
      (started) => {
        app = started;
        runner = newRunner(started);
      },
    );

  describe("keys that have used their requests", () => {
    useRunner(async () => ({ env: { RATE_LIMIT_REQUESTS: "1", RATE_LIMIT_WINDOW_SECONDS: "3600" } }));

    beforeAll(async () => {
      const { keys } = (await runner.sharedWorld()).home;
      for (const key of Object.values(keys)) {
        expect((await request(app, "GET", readingPath, { key })).status).toBe(200);
      }
    });

    for (const row of rows.spent) test(titleOf(row), () => runner.run(row));
  });

  describe("without the services", () => {
    useRunner(async () => ({
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

    useRunner(async () => {
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
      await runner.run({ at: reading, why: "meanwhile", expected: area.usual[reading] });
      await Promise.all(writes);
      expect(performance.now() - startedAtMs).toBeLessThan(10_000);
    });

    test.each(rows.locked)("$at works again afterwards", async ({ at }) => {
      await runner.run({ at, why: "afterwards", expected: area.usual[at] });
    });
  });
}
