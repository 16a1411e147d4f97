import type { Database, Sql, SqlValue } from "../../db/database.ts";

/** A statement as it went to the database, and how many rows came back or were touched. */
export interface IssuedStatement {
  readonly statement: string;
  readonly parameters: readonly SqlValue[];
  readonly rows: number;
}

/** The same statements, each added to `issued` once it was answered. */
export function watchSql<Watched extends Sql>(sql: Watched, issued: IssuedStatement[]): Watched {
  return {
    ...sql,
    query: async <Row>(statement: string, parameters: readonly SqlValue[] = []) => {
      const rows = await sql.query<Row>(statement, parameters);
      issued.push({ statement, parameters, rows: rows.length });
      return rows;
    },
    execute: async (statement: string, parameters: readonly SqlValue[] = []) => {
      const rows = await sql.execute(statement, parameters);
      issued.push({ statement, parameters, rows });
      return rows;
    },
  };
}

/** The same database, every statement of reads and transactions added to `issued`. */
export function watchDatabase(database: Database, issued: IssuedStatement[]): Database {
  return {
    ...database,
    read: watchSql(database.read, issued),
    transaction: (work) => database.transaction((transaction) => work(watchSql(transaction, issued))),
  };
}
