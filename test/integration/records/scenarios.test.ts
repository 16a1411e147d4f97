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
import { contentRows } from "./rows/content.ts";
import { idsOf, itemRows } from "./rows/items.ts";
import { keptRows } from "./rows/kept.ts";
import { limitRows } from "./rows/limits.ts";
import { listRows } from "./rows/list.ts";
import { orderRows } from "./rows/order.ts";
import { endpointNames, endpointOf, itemEndpoints } from "./support/endpoints.ts";
import { newRunner, type Runner, stage } from "./support/stage.ts";
import { newWorld } from "./support/world.ts";

const table = {
  "who may do what": accessRows(stage),
  "bodies as a whole": bodyRows(stage),
  "the content of records": contentRows,
  limits: limitRows,
  ids: itemRows,
  "what is kept": keptRows,
  "what a list can be asked for": listRows,
  "what is judged first": [...anyOrderRows(stage), ...orderRows],
};

/** Every row, on a program with its own empty database. */
function wholeTable(settings: () => Promise<Environment>): void {
  let app: App;
  let runner: Runner;

  beforeAll(async () => {
    app = await startApp({ env: await settings() });
    runner = newRunner(app);
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
    const ids = [...absentIds.map(({ id }) => id(idsOf(world))), world.gone];
    const answers = await Promise.all(ids.map((id) => runner.askFor(world, at, id)));
    const [first] = answers;
    expect(answers).toEqual(Array(ids.length).fill(first));
  });

  test("logs nothing from warnings up", () => {
    expect(app.log).toEqual([]);
  });
}

describe("the table", () => {
  const { spent, unavailable, locked } = overloadRows(stage);
  const rows = [...Object.values(table).flat(), ...spent, ...unavailable, ...locked];

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
