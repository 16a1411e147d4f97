import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type App, startApp } from "../../support/app.ts";
import type { Environment } from "../../support/environment.ts";
import { describeMariaDb, startMariaDb } from "../../support/mariadb.ts";
import { accessRows } from "../scenarios/rows/access.ts";
import { bodyRows } from "../scenarios/rows/bodies.ts";
import { absentIds } from "../scenarios/rows/items.ts";
import { orderRows as anyOrderRows } from "../scenarios/rows/order.ts";
import { overloadRows } from "../scenarios/rows/overload.ts";
import { titleOf } from "../scenarios/scenario.ts";
import { integrationRows } from "./rows/integrations.ts";
import { integrationConfigRows } from "./rows/integrations-config.ts";
import { idsAt, itemRows, orderRows } from "./rows/order.ts";
import { plainListRows } from "./rows/plain-lists.ts";
import { userChangeRows } from "./rows/users-change.ts";
import { userCreationRows } from "./rows/users-create.ts";
import { userListRows } from "./rows/users-list.ts";
import { fullRows } from "./rows/webhook-limit.ts";
import { askedCount, webhookRows } from "./rows/webhooks.ts";
import { endpointNames, endpointOf, itemEndpoints } from "./support/endpoints.ts";
import { type Hook, startHook } from "./support/hook.ts";
import { area, newRunner, type Runner } from "./support/stage.ts";
import { SECRET } from "./support/world.ts";

const table = {
  "who may do what": accessRows(area),
  "bodies as a whole": bodyRows(area),
  "new users": userCreationRows,
  "changes of users": userChangeRows,
  "what a list of users can be asked for": userListRows,
  "integrations as a whole": integrationRows,
  "configs of integrations": integrationConfigRows,
  "registrations of webhooks": webhookRows,
  "what the other lists can be asked for": plainListRows,
  ids: itemRows,
  "what is judged first": [...anyOrderRows(area), ...orderRows],
};

let hook: Hook;

beforeAll(async () => {
  hook = await startHook();
});

afterAll(async () => {
  await hook.stop();
});

/** Every row, on a program with its own empty database. */
function wholeTable(settings: () => Promise<Environment>): void {
  let app: App;
  let runner: Runner;
  let askedBefore: number;

  beforeAll(async () => {
    app = await startApp({ env: { LOG_LEVEL: "debug", ...hook.env, ...(await settings()) } });
    runner = newRunner(app, hook.url);
    askedBefore = hook.askedCount();
  });

  afterAll(async () => {
    await app.stop();
  });

  for (const [subject, rows] of Object.entries(table)) {
    describe(subject, () => {
      for (const row of rows) test(titleOf(row), () => runner.run(row));
    });
  }

  test.each(itemEndpoints)("%s answers alike for every id that is absent, whoever has it", async (at) => {
    const world = await runner.sharedWorld();
    const ids = absentIds.map(({ id }) => id(idsAt(world, at)));
    const answers = await Promise.all(ids.map((id) => runner.askFor(world, at, id)));
    const [first] = answers;
    expect(answers).toEqual(Array(ids.length).fill(first));
  });

  test("asked the addresses that are to be registered, where nothing else was wrong, and nobody else", () => {
    expect(hook.askedCount() - askedBefore).toBe(askedCount(Object.values(table).flat()));
  });

  test("logs every request, but no secret and nothing from warnings up", () => {
    expect(app.log.some((line) => line.includes("POST /v1/webhooks 201"))).toBe(true);
    expect(app.log.filter((line) => line.includes(SECRET))).toEqual([]);
    expect(app.log.filter((line) => !/^\S+ (?:INFO|DEBUG) /.test(line))).toEqual([]);
  });
}

describe("the table", () => {
  const { spent, unavailable, locked } = overloadRows(area);
  const rows = [...Object.values(table).flat(), ...fullRows, ...spent, ...unavailable, ...locked];

  test.each(endpointNames)("has a row for each documented status of %s", (at) => {
    const shown = new Set(rows.filter((row) => row.at === at).map(({ expected }) => expected.status));
    expect(endpointOf(at).statuses.filter((status) => !shown.has(status))).toEqual([]);
  });

  test("has no row whose status is not documented", () => {
    const undocumented = rows.filter(
      ({ at, expected }) => !endpointOf(at).statuses.includes(expected.status) && expected.status !== 404,
    );
    expect(undocumented.map(titleOf)).toEqual([]);
  });

  test("has no two rows of one name", () => {
    const titles = rows.map(titleOf);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });
});

describe("users, integrations and webhooks over HTTP, on SQLite", () => {
  wholeTable(async () => ({}));
});

describeMariaDb("users, integrations and webhooks over HTTP, on MariaDB", () => {
  wholeTable(async () => ({ DATABASE_URL: await (await startMariaDb()).createDatabase() }));
});
