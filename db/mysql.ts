import { setTimeout as delay } from "node:timers/promises";
import { DataSource } from "typeorm";
import { ServiceError, unavailable } from "../lib/errors.ts";
import type { Database, Sql, SqlValue, Transaction } from "./database.ts";
import { isConflict, translated } from "./driver-errors.ts";
import { migrate } from "./migrate.ts";
import { migrations } from "./migrations/index.ts";
import { runnerSql } from "./runner-sql.ts";

const POOL_SIZE = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** After so long without an answer a connection is given up: one to a server that vanished ends in no other way. */
const STATEMENT_TIMEOUT_MS = 15_000;
const MIGRATION_LOCK = "workspace-data-service.migrations";
const MIGRATION_LOCK_SECONDS = 60;
/** A deadlock's loser is tried again so often, with a growing pause. */
const MAX_ATTEMPTS = 6;
const RETRY_PAUSE_MS = 5;

/** What each connection is told: it sees what is committed, bad data is an error, and no hour comes twice. */
const sessionStatements = [
  "SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED",
  "SET SESSION sql_mode = 'STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION', innodb_lock_wait_timeout = 5",
  "SET SESSION time_zone = '+00:00'",
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
  const onConnection = async <Result>(work: (sql: Sql) => Promise<Result>) => {
    const runner = source.createQueryRunner();
    try {
      const connection: { destroy(): void } = await runner.connect();
      const sql = withDeadline(runnerSql("mysql", runner), () => connection.destroy());
      if (!prepared.has(connection)) {
        for (const statement of sessionStatements) await sql.execute(statement);
        prepared.add(connection);
      }
      return await work(sql);
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
      translated(() => retryConflicts(() => onConnection((sql) => runTransaction(sql, work)))),
    ping: async () => {
      await read.query("SELECT 1");
    },
    close: () => source.destroy(),
  };
}

async function runTransaction<Result>(
  sql: Sql,
  work: (transaction: Transaction) => Promise<Result>,
): Promise<Result> {
  await sql.execute("START TRANSACTION");
  try {
    const result = await work({ ...sql, expectChanges: () => undefined });
    await sql.execute("COMMIT");
    return result;
  } catch (error) {
    await rollBack(sql);
    throw error;
  }
}

async function rollBack(sql: Sql): Promise<void> {
  try {
    await sql.execute("ROLLBACK");
  } catch {
    // The connection is gone, and with it what it had not committed.
  }
}

/** The same statements; one that is not answered in time fails, and its connection is given up. */
function withDeadline(sql: Sql, giveUp: () => void): Sql {
  const inTime = async <Result>(answer: Promise<Result>): Promise<Result> => {
    const late = Promise.withResolvers<never>();
    const timer = setTimeout(() => {
      giveUp();
      late.reject(unavailable(new Error(`The database did not answer within ${STATEMENT_TIMEOUT_MS} ms.`)));
    }, STATEMENT_TIMEOUT_MS);
    try {
      return await Promise.race([answer, late.promise]);
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    dialect: sql.dialect,
    query: (statement, parameters) => inTime(sql.query(statement, parameters)),
    execute: (statement, parameters) => inTime(sql.execute(statement, parameters)),
  };
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
