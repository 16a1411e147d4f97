import { type QueryRunner, TableColumn } from "typeorm";
import type { ColumnType } from "./columns.ts";

/*
 * TypeORM changes a table of SQLite by making it anew and dropping the old one, which takes with it the rows
 * that refer to its rows: users could not get a column without losing their keys. SQLite itself does neither.
 */

/** Adds a column behind the others, null in the rows that there are. One that is there is left alone. */
export async function addNullableColumn(
  runner: QueryRunner,
  table: string,
  name: string,
  type: ColumnType,
): Promise<void> {
  if (await runner.hasColumn(table, name)) return;
  if (isSqlite(runner)) await runner.query(`ALTER TABLE ${table} ADD COLUMN ${name} ${String(type.type)}`);
  else await runner.addColumn(table, new TableColumn({ name, isNullable: true, ...type }));
}

/** Takes away a column that no index has. */
export async function dropAddedColumn(runner: QueryRunner, table: string, name: string): Promise<void> {
  if (!(await runner.hasColumn(table, name))) return;
  if (isSqlite(runner)) await runner.query(`ALTER TABLE ${table} DROP COLUMN ${name}`);
  else await runner.dropColumn(table, name);
}

function isSqlite(runner: QueryRunner): boolean {
  return runner.dataSource.options.type === "better-sqlite3";
}
