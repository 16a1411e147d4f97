import type { QueryRunner } from "typeorm";
import { type ColumnTypes, columnTypes, mysqlCollation } from "./columns.ts";
import { runnerSql } from "./runner-sql.ts";

/** The column types for the database that a migration runs on. */
export async function runnerColumnTypes(runner: QueryRunner): Promise<ColumnTypes> {
  if (runner.dataSource.options.type === "better-sqlite3") return columnTypes("sqlite");
  const [server] = await runnerSql("mysql", runner).query<{ version: string }>("SELECT VERSION() AS version");
  return columnTypes("mysql", mysqlCollation(server?.version ?? ""));
}
