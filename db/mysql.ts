import { setTimeout as delay } from "node:timers/promises";
import { DataSource, type QueryRunner } from "typeorm";
import { ServiceError } from "../lib/errors.ts";
import type { Database, Sql, SqlValue, Transaction } from "./database.ts";
import { isConflict, translated } from "./driver-errors.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { runnerSql } from "./runner-sql.ts";

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const MIGRATION_LOCK = "workspace-data-service.migrations";
const MIGRATION_LOCK_SECONDS = 60;
/** A deadlock's loser is tried again so often, with a growing pause. */
const MAX_ATTEMPTS = 6;
const RETRY_PAUSE_MS = 5;

/** What each connection is told: it sees what is committed, and bad data is an error. */
const sessionStatements = [
  "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', innodb_lock_wait_timeout = 5",
];

/**
 * Opens a MariaDB or MySQL database, and makes or migrates its tables where needed.
 * @param url mysql://user:password@host:port/name
 */
export async function openMySql(url: string): Promise<Database> {
  const source = new DataSource({
    type: "mysql",
    url: url.replace(/^mariadb:/, "mysql:"),
    charset: "utf8mb4",
    timezone: "Z",
    connectTimeout: CONNECT_TIMEOUT_MS,
    poolSize: POOL_SIZE,
    supportBigNumbers: true,
    bigNumberStrings: false,
    migrations,
    logging: false,
  });
  await translated(() => source.initialize());
  try {
    await migrate(source, (work) => underMigrationLock(source, work));
  } catch (error) {
    await source.destroy();
    throw error;
  }
  return mysqlDatabase(source);
}

async function underMigrationLock(source: DataSource, work: () => Promise<void>): Promise<void> {
  const runner = source.createQueryRunner();
  const sql = runnerSql("mysql", runner);
  try {
    const [lock] = await sql.query<{ taken: number }>("SELECT GET_LOCK(?, ?) AS taken", [
      MIGRATION_LOCK,
      MIGRATION_LOCK_SECONDS,
    ]);
    if (lock?.taken !== 1) throw new Error("Another process has been migrating the database for a minute.");
    await work();
    await sql.query("SELECT RELEASE_LOCK(?)", [MIGRATION_LOCK]);
  } finally {
    await runner.release();
  }
}

function mysqlDatabase(source: DataSource): Database {
  const prepared = new WeakSet<object>();

  /** Runs work on a connection of its own, set up once, and gives it back to the pool. */
  const onConnection = async <Result>(work: (sql: Sql, runner: QueryRunner) => Promise<Result>) => {
    const runner = source.createQueryRunner();
    try {
      const connection: object = await runner.connect();
      if (!prepared.has(connection)) {
        for (const statement of sessionStatements) await runner.query(statement);
        prepared.add(connection);
      }
      return await work(runnerSql("mysql", runner), runner);
    } finally {
      await runner.release();
    }
  };

  const read: Sql = {
    dialect: "mysql",
    query: <Row>(statement: string, parameters?: readonly SqlValue[]) =>
      translated(() => onConnection((sql) => sql.query<Row>(statement, parameters))),
    execute: (statement, parameters) =>
      translated(() => onConnection((sql) => sql.execute(statement, parameters))),
  };

  return {
    dialect: "mysql",
    read,
    transaction: (work) =>
      translated(() =>
        retryConflicts(() => onConnection((sql, runner) => runTransaction(sql, runner, work))),
      ),
    ping: async () => {
      await read.query("SELECT 1");
    },
    close: () => source.destroy(),
  };
}

async function runTransaction<Result>(
  sql: Sql,
  runner: QueryRunner,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  await runner.startTransaction();
  try {
    const result = await work({ ...sql, expectChanges: () => undefined });
    await runner.commitTransaction();
    return result;
  } catch (error) {
    await rollBack(runner);
    throw error;
  }
}

async function rollBack(runner: QueryRunner): Promise<void> {
  try {
    await runner.rollbackTransaction();
  } catch {
    // The connection is gone, and with it what it had not committed.
  }
}

/** Tries work again that the database ended in favour of another transaction. */
async function retryConflicts<Result>(attempt: () => Promise<Result>): Promise<Result> {
  for (let count = 1; ; count += 1) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof ServiceError || !isConflict(error) || count === MAX_ATTEMPTS) throw error;
      await delay(RETRY_PAUSE_MS * count * (1 + Math.random()));
    }
  }
}
