import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type App, startApp } from "../../support/app.ts";
import type { Environment } from "../../support/environment.ts";
import { describeMariaDb, startMariaDb } from "../../support/mariadb.ts";
import { accessRows } from "./rows/access.ts";
import { bodyRows } from "./rows/bodies.ts";
import { contentRows } from "./rows/content.ts";
import { absentIds, itemRows } from "./rows/items.ts";
import { keptRows } from "./rows/kept.ts";
import { limitRows } from "./rows/limits.ts";
import { listRows } from "./rows/list.ts";
import { orderRows } from "./rows/order.ts";
import { lockedRows, spentRows, unavailableRows } from "./rows/overload.ts";
import { endpointNames, endpointOf, itemEndpoints } from "./support/endpoints.ts";
import { ScenarioRunner } from "./support/run-scenario.ts";
import { titleOf } from "./support/scenario.ts";
import { newWorld } from "./support/world.ts";

const table = {
  "who may do what": accessRows,
  "bodies as a whole": bodyRows,
  "the content of records": contentRows,
  limits: limitRows,
  ids: itemRows,
  "what is kept": keptRows,
  "what a list can be asked for": listRows,
  "what is judged first": orderRows,
};

/** Every row, on a program with its own empty database. */
function wholeTable(settings: () => Promise<Environment>): void {
  let app: App;
  let runner: ScenarioRunner;

  beforeAll(async () => {
    app = await startApp({ env: await settings() });
    runner = new ScenarioRunner(app);
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
    const world = await newWorld(app.broker);
    const answers = await Promise.all(absentIds.map(({ id }) => runner.askFor(world, at, id(world))));
    const [first] = answers;
    expect(answers).toEqual(Array(absentIds.length).fill(first));
  });

  test("logs nothing from warnings up", () => {
    expect(app.log).toEqual([]);
  });
}

describe("the table", () => {
  const rows = [...Object.values(table).flat(), ...spentRows, ...unavailableRows, ...lockedRows];

  test.each(endpointNames)("has a row for each documented status of %s", (at) => {
    const shown = new Set(rows.filter((row) => row.at === at).map(({ expected }) => expected.status));
    expect(endpointOf(at).statuses.filter((status) => !shown.has(status))).toEqual([]);
  });

  test("has no two rows of one name", () => {
    const titles = rows.map(titleOf);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });
});

describe("records over HTTP, on SQLite", () => {
  wholeTable(async () => ({}));
});

describeMariaDb("records over HTTP, on MariaDB", () => {
  wholeTable(async () => ({ DATABASE_URL: await (await startMariaDb()).createDatabase() }));
});
