import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe } from "@jest/globals";
import type { Database } from "../../db/database.ts";
import { openDatabase } from "../../db/open-database.ts";
import type { Config } from "../../lib/config.ts";
import { describeMariaDb, startMariaDb } from "./mariadb.ts";

type Storage = Config["storage"];

/** Opens a new, empty, migrated database. It is closed and removed when the test file is done. */
export type OpenFresh = () => Promise<Database>;

/** The place of a new, empty database that nobody has opened: for brokers and processes that open it themselves. */
export type FreshStorage = () => Promise<Storage>;

const cleanups: (() => Promise<void>)[] = [];

afterAll(async () => {
  for (const cleanUp of cleanups.reverse()) await cleanUp();
});

/**
 * Runs the same suite on SQLite and on a real MariaDB: what holds on one must hold on the other.
 * @param suite called while tests are collected, so it opens its databases in hooks and tests
 */
export function describeOnBothDatabases(
  name: string,
  suite: (open: OpenFresh, storage: FreshStorage) => void,
): void {
  const onDatabase = (storage: FreshStorage) => () => suite(async () => opened(await storage()), storage);
  describe(`${name}, on SQLite`, onDatabase(freshSqliteStorage));
  describeMariaDb(`${name}, on MariaDB`, onDatabase(freshMariaDbStorage));
}

/** A new, empty SQLite database, for suites that any database serves. Closed and removed like the others. */
export async function openFreshSqlite(): Promise<Database> {
  return await opened(await freshSqliteStorage());
}

/** A folder of the test's own for an embedded database, removed when the test file is done. */
export async function freshSqliteStorage(): Promise<Storage> {
  const dataDir = await mkdtemp(join(tmpdir(), "workspace-data-"));
  cleanups.push(() => rm(dataDir, { recursive: true, force: true }));
  return { dataDir, databaseUrl: undefined };
}

/** The server's databases go with the server, at the end of the run. */
async function freshMariaDbStorage(): Promise<Storage> {
  const server = await startMariaDb();
  cleanups.push(() => server.stop());
  return { dataDir: "", databaseUrl: await server.createDatabase() };
}

/** Opens a database that is closed with the test file, or before by the test itself. */
async function opened(storage: Storage): Promise<Database> {
  const database = await openDatabase(storage);
  let closing: Promise<void> | undefined;
  const close = () => {
    closing ??= database.close();
    return closing;
  };
  cleanups.push(close);
  return { ...database, close };
}

/** Every row of every table, as text: to show what is stored nowhere. */
export async function everythingIn({ dialect, read }: Database): Promise<string> {
  const tables = await read.query<{ name: string }>(
    dialect === "sqlite"
      ? "SELECT name FROM sqlite_master WHERE type = 'table'"
      : "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = DATABASE()",
  );
  const contents = await Promise.all(
    tables.map(async ({ name }) => [name, await read.query(`SELECT * FROM ${name}`)] as const),
  );
  return JSON.stringify(Object.fromEntries(contents));
}
