import { createPacer } from "../lib/pacer.ts";
import { placeholders, type Sql, type SqlValue } from "./database.ts";

/** Rows a statement, from many to one: few sizes, so that the databases' caches of statements stay small. */
const CHUNK_SIZES = [512, 64, 8, 1];

/** Ids that a statement names, from many to one: few sizes for the same reason. */
export const ID_CHUNK_SIZES = [64, 8, 1];

interface InsertOptions {
  /** SQL of one more, last column that the database computes. */
  expression?: string;
  /** `INSERT` unless said otherwise. */
  verb?: string;
  /** SQL behind the values, as in `ON CONFLICT …`. */
  suffix?: string;
}

/** Inserts rows, many in a statement, without holding the process for long. */
export async function insertRows(
  sql: Sql,
  table: string,
  columns: readonly string[],
  rows: readonly (readonly SqlValue[])[],
  { expression, verb = "INSERT", suffix = "" }: InsertOptions = {},
): Promise<void> {
  const bound = expression === undefined ? columns.length : columns.length - 1;
  const row =
    expression === undefined ? `(${placeholders(bound)})` : `(${placeholders(bound)}, ${expression})`;
  const pause = createPacer();
  for (const chunk of inChunks(rows, CHUNK_SIZES)) {
    const values = Array(chunk.length).fill(row).join(", ");
    await sql.execute(
      `${verb} INTO ${table} (${columns.join(", ")}) VALUES ${values} ${suffix}`,
      chunk.flat(),
    );
    await pause();
  }
}

/** The items in pieces of the given sizes, largest first. The last size must be 1. */
export function* inChunks<Item>(
  items: readonly Item[],
  sizes: readonly number[],
): Generator<readonly Item[]> {
  let start = 0;
  for (const size of sizes) {
    for (; items.length - start >= size; start += size) yield items.slice(start, start + size);
  }
}
