import type { QueryRunner } from "typeorm";
import type { Sql } from "./database.ts";
import type { Dialect } from "./dialect.ts";

/** Statements on one connection of TypeORM's, with the driver's errors as they come. */
export function runnerSql(dialect: Dialect, runner: QueryRunner): Sql {
  return {
    dialect,
    query: async <Row>(statement: string, parameters: readonly unknown[] = []) => {
      const rows: Row[] = await runner.query(statement, [...parameters]);
      return rows;
    },
    execute: async (statement, parameters = []) => {
      const { affected } = await runner.query(statement, [...parameters], true);
      return affected ?? 0;
    },
  };
}
