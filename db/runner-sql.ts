import { QueryFailedError, type QueryRunner } from "typeorm";
import type { Sql } from "./database.ts";
import type { Dialect } from "./dialect.ts";
import { StatementError } from "./driver-errors.ts";

/** Statements on one connection of TypeORM's; one that fails throws a {@link StatementError}. */
export function runnerSql(dialect: Dialect, runner: QueryRunner): Sql {
  return {
    dialect,
    query: async <Row>(statement: string, parameters: readonly unknown[] = []) => {
      const rows: Row[] = await withoutParameters(statement, runner.query(statement, [...parameters]));
      return rows;
    },
    execute: async (statement, parameters = []) => {
      const result = await withoutParameters(statement, runner.query(statement, [...parameters], true));
      return result.affected ?? 0;
    },
  };
}

/** Errors reach the log, and what clients store has no business there: only the statement itself has. */
async function withoutParameters<Result>(statement: string, result: Promise<Result>): Promise<Result> {
  try {
    return await result;
  } catch (error) {
    throw error instanceof QueryFailedError ? new StatementError(statement, error.driverError) : error;
  }
}
