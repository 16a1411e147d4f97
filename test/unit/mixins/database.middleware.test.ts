import { expect, test } from "@jest/globals";
import type { Service } from "moleculer";
import type { Database } from "../../../db/database.ts";
import { openDatabase } from "../../../db/open-database.ts";
import { databaseMiddleware, databaseOf } from "../../../mixins/database.middleware.ts";
import { describeOnBothDatabases, freshSqliteStorage } from "../../support/databases.ts";
import { quietBroker } from "./support/quiet-broker.ts";

const put = (database: Database, name: string) =>
  database.transaction((transaction) =>
    transaction.execute("INSERT INTO settings (name, value) VALUES (?, '1')", [name]),
  );

describeOnBothDatabases("a node's database", (_open, storage) => {
  test("is open from the start of its services to the end of the last of them", async () => {
    const place = await storage();
    const broker = quietBroker(databaseMiddleware(place));
    broker.createService({
      name: "writer",
      async started(this: Service) {
        await put(databaseOf(this.broker), "started");
      },
      async stopped(this: Service) {
        await put(databaseOf(this.broker), "stopped");
      },
    });
    await broker.start();
    const database = databaseOf(broker);
    await broker.stop();
    await expect(database.read.query("SELECT 1")).rejects.toThrow();

    const after = await openDatabase(place);
    expect(await after.read.query("SELECT name FROM settings ORDER BY name")).toEqual([
      { name: "started" },
      { name: "stopped" },
    ]);
    await after.close();
  });
});

test("there is none before the broker starts, nor after it stopped", async () => {
  const broker = quietBroker(databaseMiddleware(await freshSqliteStorage()));
  const message = "The database is open only while the broker runs.";
  expect(() => databaseOf(broker)).toThrow(message);
  await broker.start();
  await expect(databaseOf(broker).ping()).resolves.toBeUndefined();
  await broker.stop();
  expect(() => databaseOf(broker)).toThrow(message);
});

test("each node has its own", async () => {
  const brokers = [
    quietBroker(databaseMiddleware(await freshSqliteStorage())),
    quietBroker(databaseMiddleware(await freshSqliteStorage())),
  ];
  await Promise.all(brokers.map((broker) => broker.start()));
  const [one, other] = brokers.map(databaseOf);
  expect(one).not.toBe(other);
  await Promise.all(brokers.map((broker) => broker.stop()));
});
