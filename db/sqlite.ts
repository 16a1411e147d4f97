import { setTimeout as delay } from "node:timers/promises";
import { DataSource, type DataSourceOptions } from "typeorm";
import type { Database, Sql } from "./database.ts";
import { isBusy, translated } from "./driver-errors.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { runnerSql } from "./runner-sql.ts";
import { SqliteCheckpointer } from "./sqlite-checkpointer.ts";
import { SqliteThread } from "./sqlite-thread.ts";
import { BEGIN, COMMIT, ROLLBACK } from "./transaction-statements.ts";
import { type WriteLane, WriteQueue } from "./write-queue.ts";

/** How long a write waits for another process (an operator's command) that holds the write lock. */
const LOCK_TIMEOUT_MS = 5_000;
/** How long a start waits for another process that migrates. */
const MIGRATION_TIMEOUT_MS = 60_000;
const LOCK_RETRY_MS = 2;
/** How long a close waits for writes that were asked for. */
const CLOSE_TIMEOUT_MS = 2_000;
/** How long the opening of a file may wait for another process that opens or closes it, holding this one. */
const OPEN_TIMEOUT_MS = 5_000;
/** Pages of log (256 MiB) at which a commit checkpoints itself, should the checkpointer not keep up. */
const LAST_RESORT_LOG_PAGES = 65_536;

const writerPragmas = [
  "foreign_keys = ON",
  "synchronous = FULL",
  `wal_autocheckpoint = ${LAST_RESORT_LOG_PAGES}`,
];

export interface SqliteOptions {
  /** How long a write waits for another process's, in milliseconds. */
  readonly lockTimeoutMs?: number;
}

interface Pragmas {
  pragma(statement: string): unknown;
}

/**
 * Opens the embedded database, and makes or migrates it where needed.
 *
 * Transactions take turns: quick ones on a connection of this thread, large ones on one of a thread of its
 * own. Reads have a connection to themselves, so that no request sees or rolls back what is another's.
 * @param file path of the database file
 */
export async function openSqlite(
  file: string,
  { lockTimeoutMs = LOCK_TIMEOUT_MS }: SqliteOptions = {},
): Promise<Database> {
  const writer = await openSource(file, ["journal_mode = WAL", ...writerPragmas]);
  try {
    await prepareWriter(writer);
    const reader = await openSource(file, ["query_only = ON"]);
    return sqliteDatabase(file, writer, reader, lockTimeoutMs);
  } catch (error) {
    await writer.destroy();
    throw error;
  }
}

async function openSource(file: string, pragmas: readonly string[]): Promise<DataSource> {
  const options: DataSourceOptions = {
    type: "better-sqlite3",
    database: file,
    timeout: OPEN_TIMEOUT_MS,
    statementCacheSize: 500,
    migrations,
    logging: false,
    prepareDatabase: (connection: Pragmas) => {
      for (const pragma of pragmas) connection.pragma(pragma);
    },
  };
  return await new DataSource(options).initialize();
}

async function prepareWriter(writer: DataSource): Promise<void> {
  const sql = runnerSql("sqlite", writer.createQueryRunner());
  // From here on a locked database is waited for without holding the process: see takeWriteLock().
  await sql.query("PRAGMA busy_timeout = 0");
  await migrate(writer, async (work) => {
    await takeWriteLock(sql, MIGRATION_TIMEOUT_MS);
    try {
      await work();
      await sql.execute(COMMIT);
    } catch (error) {
      await sql.execute(ROLLBACK);
      throw error;
    }
  });
}

function sqliteDatabase(
  file: string,
  writer: DataSource,
  reader: DataSource,
  lockTimeoutMs: number,
): Database {
  const largeWriter = new SqliteThread({ file, pragmas: writerPragmas });
  const checkpoints = new SqliteThread({ file, pragmas: writerPragmas });
  const read = runnerSql("sqlite", reader.createQueryRunner());
  const queue = new WriteQueue({
    quick: writeLane(runnerSql("sqlite", writer.createQueryRunner()), lockTimeoutMs),
    large: writeLane(largeWriter.sql, lockTimeoutMs),
  });
  const checkpointer = new SqliteCheckpointer(checkpoints.sql, undefined, (work) => queue.interlude(work));
  return {
    dialect: "sqlite",
    read: {
      dialect: "sqlite",
      query: (statement, parameters) => translated(() => read.query(statement, parameters)),
      execute: (statement, parameters) => translated(() => read.execute(statement, parameters)),
    },
    transaction: async (work) => {
      const result = await queue.transaction(work);
      checkpointer.noteCommit();
      return result;
    },
    ping: async () => {
      await translated(() => read.query("SELECT 1 FROM settings LIMIT 1"));
    },
    close: async () => {
      checkpointer.close();
      // Whoever still writes had its time to finish; what is cut off here was not answered.
      await queue.close(CLOSE_TIMEOUT_MS);
      await largeWriter.close();
      await checkpoints.close();
      await reader.destroy();
      await writer.destroy();
    },
  };
}

function writeLane(sql: Sql, lockTimeoutMs: number): WriteLane {
  return { sql, begin: () => takeWriteLock(sql, lockTimeoutMs) };
}

/** Begins a transaction that can write; while another process does, others of this one get their turns. */
async function takeWriteLock(sql: Sql, timeoutMs: number): Promise<void> {
  const givesUpAtMs = performance.now() + timeoutMs;
  for (;;) {
    try {
      await sql.execute(BEGIN);
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > givesUpAtMs) throw error;
      await delay(LOCK_RETRY_MS);
    }
  }
}
