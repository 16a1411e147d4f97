import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { type Middleware, ServiceBroker } from "moleculer";
import { openDatabase } from "../../../../db/open-database.ts";
import type { Config } from "../../../../lib/config.ts";
import type { FirstStart } from "../../../../lib/startup-summary.ts";
import { databaseMiddleware, databaseOf } from "../../../../mixins/database.middleware.ts";
import { firstStartOf } from "../../../../mixins/first-start.ts";
import { validationMiddleware } from "../../../../mixins/validation.middleware.ts";
import workspacesService from "../../../../services/workspaces/workspaces.service.ts";
import { Workspaces } from "../../../../services/workspaces/workspaces.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";

type Storage = Config["storage"];

const STARTS = 4;
const project = new URL("../../../../", import.meta.url);

/** Lets nobody on before so many have arrived. */
function gate(expected: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let arrived = 0;
  return () => {
    arrived += 1;
    if (arrived === expected) resolve();
    return promise;
  };
}

function brokerOn(storage: Storage, ...middlewares: Middleware[]): ServiceBroker {
  const broker = new ServiceBroker({
    logger: false,
    skipProcessEventRegistration: true,
    registry: { stopDelay: 0 },
    middlewares: [databaseMiddleware(storage), validationMiddleware(), ...middlewares],
  });
  broker.createService(workspacesService);
  return broker;
}

/** A process that starts the service as the program does, and says on its output what its start made. */
async function startProcess({ dataDir, databaseUrl }: Storage): Promise<FirstStart | undefined> {
  const program = `
    import { ServiceBroker } from "moleculer";
    import { loadConfig } from ${JSON.stringify(new URL("lib/config.ts", project))};
    import { databaseMiddleware } from ${JSON.stringify(new URL("mixins/database.middleware.ts", project))};
    import { firstStartOf } from ${JSON.stringify(new URL("mixins/first-start.ts", project))};
    import service from ${JSON.stringify(new URL("services/workspaces/workspaces.service.ts", project))};
    const broker = new ServiceBroker({
      logger: false,
      middlewares: [databaseMiddleware(loadConfig().storage)],
    });
    broker.createService(service);
    await broker.start();
    console.log(JSON.stringify(firstStartOf(broker) ?? null));
    await broker.stop();`;
  const env = { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: databaseUrl };
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
    cwd: project,
    env,
  });
  return JSON.parse(stdout) ?? undefined;
}

/** Of all starts exactly one made the database's one workspace, and its key works. */
async function expectOneWorkspace(storage: Storage, starts: (FirstStart | undefined)[]): Promise<void> {
  const made = starts.filter((firstStart) => firstStart !== undefined);
  expect(made).toHaveLength(1);
  const database = await openDatabase(storage);
  try {
    const workspaces = new Workspaces(database);
    expect((await workspaces.list({})).map(({ id }) => id)).toEqual([made[0]?.workspaceId]);
    expect(await workspaces.knowsKey(made[0]?.key ?? "")).toBe(true);
  } finally {
    await database.close();
  }
}

describeOnBothDatabases("first starts at once", (_open, freshStorage) => {
  test("of several brokers in a process make one workspace", async () => {
    const storage = await freshStorage();
    const everyDatabaseIsOpen = gate(STARTS);
    const brokers = Array.from({ length: STARTS }, () =>
      brokerOn(storage, { starting: everyDatabaseIsOpen }),
    );
    await Promise.all(brokers.map((broker) => broker.start()));
    const starts = brokers.map(firstStartOf);
    await Promise.all(brokers.map((broker) => broker.stop()));
    await expectOneWorkspace(storage, starts);
  });

  test("of several processes on a database without tables make one workspace", async () => {
    const storage = await freshStorage();
    const starts = await Promise.all(Array.from({ length: STARTS }, () => startProcess(storage)));
    await expectOneWorkspace(storage, starts);
  });

  test("find a workspace in what a start before them made", async () => {
    const storage = await freshStorage();
    const first = brokerOn(storage);
    await first.start();
    await first.stop();
    const second = brokerOn(storage);
    await second.start();
    expect(firstStartOf(second)).toBeUndefined();
    expect(await new Workspaces(databaseOf(second)).list({})).toHaveLength(1);
    await second.stop();
  });
});
