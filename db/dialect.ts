/** The two kinds of SQL that the service speaks: SQLite's, and that of MariaDB and MySQL. */
export type Dialect = "sqlite" | "mysql";

export interface DialectSql {
  /** Behind a SELECT in a transaction: keeps others from changing the rows until it ends. */
  readonly forUpdate: string;
  /** The same, but others may read the rows in this way meanwhile. */
  readonly forShare: string;
  /** The same, passing over rows that others hold: for workers that share a queue. */
  readonly forUpdateSkipLocked: string;
  /** The database's own clock, in milliseconds since 1970. */
  readonly nowMs: string;
  /** INSERT that leaves a row alone that is already there. */
  readonly insertIgnore: string;
  /** Behind a table's name: the one index to walk, so that no statistics ever choose a slower way. */
  useIndex(index: string): string;
  /** The same for the primary key, of a table whose rows are found by a list of ids. */
  usePrimaryKey(table: string): string;
  /** DELETE of rows found by a list of ids. Of a small table MariaDB may go over all rows nevertheless. */
  deleteByPrimaryKey(table: string): string;
  /** True of rows that come after (`>`) or before (`<`) a pair of values; see {@link DialectSql.beyondValues}. */
  beyond(columns: readonly [string, string], comparison: ">" | "<"): string;
  /** The parameters of {@link DialectSql.beyond}. */
  beyondValues(first: string | number, second: string): (string | number)[];
  /** One of several SELECTs whose rows are merged in an order and cut at `limit`. */
  mergeBranch(select: string, orderBy: string, limit: number): string;
  /** Behind an INSERT: adds the new row's number to the one that is already there. */
  addOnConflict(keyColumns: readonly string[], column: string): string;
}

/** Where the dialects differ, once for the whole program. */
export const dialectSql: Readonly<Record<Dialect, DialectSql>> = {
  sqlite: {
    // A SQLite transaction here holds the one write lock from its begin.
    forUpdate: "",
    forUpdateSkipLocked: "",
    forShare: "",
    nowMs: "CAST(unixepoch('subsec') * 1000 AS INTEGER)",
    insertIgnore: "INSERT OR IGNORE",
    useIndex: (index) => `INDEXED BY ${index}`,
    usePrimaryKey: (table) => `INDEXED BY sqlite_autoindex_${table}_1`,
    deleteByPrimaryKey: (table) => `DELETE FROM ${table}`,
    beyond: ([first, second], comparison) => `(${first}, ${second}) ${comparison} (?, ?)`,
    beyondValues: (first, second) => [first, second],
    // SQLite merges ordered branches as it goes and stops at the limit by itself.
    mergeBranch: (select) => select,
    addOnConflict: (keyColumns, column) =>
      `ON CONFLICT (${keyColumns.join(", ")}) DO UPDATE SET ${column} = ${column} + excluded.${column}`,
  },
  mysql: {
    forUpdate: "FOR UPDATE",
    forUpdateSkipLocked: "FOR UPDATE SKIP LOCKED",
    // MariaDB knows no FOR SHARE.
    forShare: "LOCK IN SHARE MODE",
    nowMs: "CAST(UNIX_TIMESTAMP(NOW(3)) * 1000 AS SIGNED)",
    insertIgnore: "INSERT IGNORE",
    useIndex: (index) => `FORCE INDEX (${index})`,
    usePrimaryKey: () => "FORCE INDEX (PRIMARY)",
    // Only the syntax for several tables takes an index.
    deleteByPrimaryKey: (table) => `DELETE ${table} FROM ${table} FORCE INDEX (PRIMARY)`,
    // Row values would make these databases read the whole index.
    beyond: ([first, second], comparison) =>
      `(${first} ${comparison} ? OR (${first} = ? AND ${second} ${comparison} ?))`,
    beyondValues: (first, second) => [first, first, second],
    mergeBranch: (select, orderBy, limit) => `(${select} ${orderBy} LIMIT ${limit})`,
    addOnConflict: (_keyColumns, column) =>
      `ON DUPLICATE KEY UPDATE ${column} = ${column} + VALUES(${column})`,
  },
};
