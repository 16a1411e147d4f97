import type { Dialect } from "./dialect.ts";

export type SqlValue = string | number | null;

/** Runs statements whose parameters are marked by `?`. */
export interface Sql {
  readonly dialect: Dialect;
  /** The rows that a SELECT finds. */
  query<Row>(statement: string, parameters?: readonly SqlValue[]): Promise<Row[]>;
  /** The number of rows that an INSERT, UPDATE or DELETE touched. */
  execute(statement: string, parameters?: readonly SqlValue[]): Promise<number>;
}

/** Statements that take effect together or not at all. */
export interface Transaction extends Sql {
  /**
   * Says how many index entries the work is about to change. Where so many would hold the process, the work
   * is taken back and begun anew where they do not: call it before the first change.
   */
  expectChanges(count: number): void;
}

/**
 * The one way to the data, whichever database is beneath.
 *
 * Whatever is thrown is either what the work itself threw, a {@link UniqueViolation}, a ServiceError
 * `unavailable` where the database does not answer, or an error of the driver: a defect.
 */
export interface Database {
  readonly dialect: Dialect;
  /** Reads what is committed. */
  readonly read: Sql;
  /**
   * Runs the work in a transaction of its own and resolves once it is durable. Work that throws leaves
   * nothing behind. It may run more than once (after a deadlock, or as large work), so it must have no
   * effect but through the transaction.
   */
  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result>;
  /** Resolves when the database answers. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** A row with these unique values is there already. */
export class UniqueViolation extends Error {
  constructor(cause: unknown) {
    super("A row with these unique values is there already.", { cause });
    this.name = "UniqueViolation";
  }
}

/** `?, ?, ?` for so many parameters. */
export function placeholders(count: number): string {
  return Array(count).fill("?").join(", ");
}

/** `(?, ?), (?, ?)` for so many rows of so many columns. */
export function rowPlaceholders(rows: number, columns: number): string {
  return Array(rows)
    .fill(`(${placeholders(columns)})`)
    .join(", ");
}
