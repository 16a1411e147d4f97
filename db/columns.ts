import type { EntitySchemaColumnOptions, TableColumnOptions } from "typeorm";
import { MAX_ID_LENGTH } from "../lib/ids.ts";
import type { Dialect } from "./dialect.ts";

/** What a column is, apart from its name: the part that migrations and entities share. */
export type ColumnType = Pick<TableColumnOptions, "type" | "length" | "charset" | "collation"> &
  Pick<EntitySchemaColumnOptions, "type" | "length" | "charset" | "collation">;

export interface ColumnTypes {
  readonly id: ColumnType;
  /** Text of up to so many characters. */
  string(length: number): ColumnType;
  readonly longText: ColumnType;
  /** Milliseconds since 1970, or a count. */
  readonly integer: ColumnType;
}

/**
 * The collation that compares byte for byte, trailing spaces included: MariaDB and MySQL name it differently.
 * @param serverVersion what `SELECT VERSION()` says, as in "10.11.6-MariaDB"
 */
export function mysqlCollation(serverVersion: string): string {
  return serverVersion.includes("MariaDB") ? "utf8mb4_nopad_bin" : "utf8mb4_0900_bin";
}

/** The column types of a dialect: text is compared byte for byte everywhere. */
export function columnTypes(dialect: Dialect, collation?: string): ColumnTypes {
  if (dialect === "sqlite") {
    return {
      id: { type: "varchar" },
      string: () => ({ type: "varchar" }),
      longText: { type: "text" },
      integer: { type: "bigint" },
    };
  }
  const binary = { charset: "utf8mb4", collation };
  return {
    id: { type: "varchar", length: String(MAX_ID_LENGTH), ...binary },
    string: (length) => ({ type: "varchar", length: String(length), ...binary }),
    longText: { type: "mediumtext", ...binary },
    integer: { type: "bigint" },
  };
}
