import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, expect, test } from "@jest/globals";
import { DataSource } from "typeorm";
import type { Database } from "../../../db/database.ts";
import { migrations } from "../../../db/migrations/index.ts";
import { openDatabase } from "../../../db/open-database.ts";
import type { Config } from "../../../lib/config.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

const OPENER = fileURLToPath(new URL("./support/database-opener.child.ts", import.meta.url));
const PROCESSES = 3;

type Storage = Config["storage"];

/** Starts processes, lets all of them open the database at the same moment, and gives what they said. */
async function openAtOnce(storage: Storage): Promise<{ code: unknown; said: string; complaint: string }[]> {
  const children = Array.from({ length: PROCESSES }, () =>
    spawn(process.execPath, [OPENER, JSON.stringify(storage)], { stdio: ["pipe", "pipe", "pipe"] }),
  );
  const ends = children.map(async (child) => {
    const [[code], said, complaint] = await Promise.all([
      once(child, "exit"),
      text(child.stdout),
      text(child.stderr),
    ]);
    return { code, said, complaint };
  });
  await Promise.all(children.map((child) => once(child.stdout, "readable")));
  for (const child of children) child.stdin.end();
  return await Promise.all(ends);
}

/** TypeORM's own view of the database, for what the program itself never does. */
async function dataSource({ databaseUrl, dataDir }: Storage): Promise<DataSource> {
  const source =
    databaseUrl === undefined
      ? new DataSource({
          type: "better-sqlite3",
          database: join(dataDir, "workspace-data.sqlite"),
          migrations,
        })
      : new DataSource({ type: "mysql", url: databaseUrl, migrations });
  return await source.initialize();
}

async function tables({ dialect, read }: Database): Promise<string[]> {
  const rows = await read.query<{ name: string }>(
    dialect === "sqlite"
      ? "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%' ORDER BY name"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE() ORDER BY name",
  );
  return rows.map(({ name }) => name);
}

async function migrated({ read }: Database): Promise<string[]> {
  const rows = await read.query<{ name: string }>("SELECT name FROM migrations ORDER BY id");
  return rows.map(({ name }) => name);
}

const names = migrations.map((Migration) => new Migration().name);

describeOnBothDatabases("an empty database", (_open, storage) => {
  test("is migrated once, although several processes open it at the same moment", async () => {
    const place = await storage();
    const outcomes = await openAtOnce(place);
    expect(outcomes).toEqual(Array(PROCESSES).fill({ code: 0, said: "ready\nopen\n", complaint: "" }));
    const database = await openDatabase(place);
    expect(await migrated(database)).toEqual(names);
    await database.close();
  });

  test("is empty again when all migrations are undone, and can be migrated anew", async () => {
    const place = await storage();
    await (await openDatabase(place)).close();
    const source = await dataSource(place);
    for (let count = 0; count < migrations.length; count += 1) {
      await source.undoLastMigration({ transaction: "none" });
    }
    const left =
      source.options.type === "mysql"
        ? await source.query("SHOW TABLES")
        : await source.query("SELECT * FROM sqlite_master WHERE name NOT LIKE 'sqlite_%'");
    expect(left).toHaveLength(1);
    await source.destroy();

    const database = await openDatabase(place);
    expect(await migrated(database)).toEqual(names);
    expect(await tables(database)).toContain("records");
    await database.close();
  });
});

describeOnBothDatabases("a database with data", (_open, storage) => {
  test("keeps it when it is opened again, and is not migrated again", async () => {
    const place = await storage();
    const before = await openDatabase(place);
    await before.transaction((transaction) =>
      transaction.execute("INSERT INTO settings (name, value) VALUES ('a', 'b')"),
    );
    await before.close();
    const after = await openDatabase(place);
    expect(await after.read.query("SELECT name, value FROM settings")).toEqual([{ name: "a", value: "b" }]);
    expect(await migrated(after)).toEqual(names);
    await after.close();
  });
});

describe("the migrations", () => {
  test("are named for their classes, and stand in the order of their times", () => {
    expect(names).toEqual(migrations.map((Migration) => Migration.name));
    const times = names.map((name) => Number(name.slice(-13)));
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    expect(new Set(times).size).toBe(times.length);
  });
});
