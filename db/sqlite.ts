import { setTimeout as delay } from "node:timers/promises";
import { DataSource, type DataSourceOptions } from "typeorm";
import type { Database } from "./database.ts";
import { isBusy, translated } from "./driver-errors.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { runnerSql } from "./runner-sql.ts";
import { WriteQueue } from "./write-queue.ts";

/** How long a write waits for another process (an operator's command) that holds the write lock. */
const LOCK_TIMEOUT_MS = 5_000;
const LOCK_RETRY_MS = 10;
/** How long a start waits for another process that migrates. */
const MIGRATION_TIMEOUT_MS = 60_000;

interface Pragmas {
  pragma(statement: string): unknown;
}

/**
 * Opens the embedded database, and makes or migrates it where needed.
 *
 * There is one writing connection with a queue before it, and another for reads, so that no request sees
 * or rolls back what is another's.
 * @param file path of the database file
 */
export async function openSqlite(file: string): Promise<Database> {
  const writer = await openSource(file, ["journal_mode = WAL", "synchronous = FULL"]);
  try {
    await migrateUnderLock(writer);
    const reader = await openSource(file, ["query_only = ON"]);
    return sqliteDatabase(writer, reader);
  } catch (error) {
    await writer.destroy();
    throw error;
  }
}

async function openSource(file: string, pragmas: readonly string[]): Promise<DataSource> {
  const options: DataSourceOptions = {
    type: "better-sqlite3",
    database: file,
    timeout: MIGRATION_TIMEOUT_MS,
    statementCacheSize: 500,
    migrations,
    logging: false,
    prepareDatabase: (connection: Pragmas) => {
      for (const pragma of pragmas) connection.pragma(pragma);
    },
  };
  return await new DataSource(options).initialize();
}

async function migrateUnderLock(writer: DataSource): Promise<void> {
  const sql = runnerSql("sqlite", writer.createQueryRunner());
  await sql.execute("BEGIN IMMEDIATE");
  try {
    await migrate(writer);
    await sql.execute("COMMIT");
  } catch (error) {
    await sql.execute("ROLLBACK");
    throw error;
  }
  // From here on a locked database is waited for without holding the process: see begin().
  await sql.query("PRAGMA busy_timeout = 0");
}

function sqliteDatabase(writer: DataSource, reader: DataSource): Database {
  const write = runnerSql("sqlite", writer.createQueryRunner());
  const read = runnerSql("sqlite", reader.createQueryRunner());
  const queue = new WriteQueue(write, () => begin(() => write.execute("BEGIN IMMEDIATE")));
  return {
    dialect: "sqlite",
    read: {
      dialect: "sqlite",
      query: (statement, parameters) => translated(() => read.query(statement, parameters)),
      execute: (statement, parameters) => translated(() => read.execute(statement, parameters)),
    },
    transaction: (work) => queue.transaction(work),
    ping: async () => {
      await translated(() => read.query("SELECT 1 FROM settings LIMIT 1"));
    },
    close: async () => {
      await queue.whenIdle();
      await reader.destroy();
      await writer.destroy();
    },
  };
}

/** Takes the write lock; while another process holds it, others of this process get their turns. */
async function begin(attempt: () => Promise<unknown>): Promise<void> {
  const givesUpAtMs = performance.now() + LOCK_TIMEOUT_MS;
  for (;;) {
    try {
      await attempt();
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > givesUpAtMs) throw error;
      await delay(LOCK_RETRY_MS);
    }
  }
}
