import type { Database } from "../db/database.ts";
import { dialectSql } from "../db/dialect.ts";
import { CannotOpen, type Cipher } from "../lib/cipher.ts";
import { createPacer } from "../lib/pacer.ts";
import { demandCurrentKey, sealWithin } from "./known-keys.ts";

/** Rows that are read at once: few, for a value may be long. */
const PAGE_SIZE = 100;

/** Where a table keeps what is sealed. Its primary key is `id`. */
export interface SealedColumn {
  readonly table: string;
  readonly column: string;
  /** The place that a row's value is sealed for: see {@link Cipher}. */
  readonly place: (id: string) => string;
}

export interface Resealed {
  /** The name of the key that seals: nodes may have different ones while keys are changed. */
  readonly key_id: string;
  /** Values that the current key seals since now. */
  resealed: number;
  /** Values that no key opens: they stay as they are. */
  unreadable: number;
}

interface SealedRow {
  readonly id: string;
  readonly sealed: string;
}

/**
 * Seals every value anew that another key than the current one sealed. It may run beside everything else, and
 * again at any time: each value is replaced by itself, and only while it is still the one that was opened.
 * @throws ServiceError `conflict` where the current key seals no more, for another one has replaced it
 */
export async function reseal(
  database: Database,
  cipher: Cipher,
  sealedColumn: SealedColumn,
): Promise<Resealed> {
  await demandCurrentKey(database.read, cipher);
  const counts: Resealed = { key_id: cipher.keyId, resealed: 0, unreadable: 0 };
  const pause = createPacer();
  let afterId = "";
  for (;;) {
    const rows = await nextRows(database, sealedColumn, afterId);
    for (const row of rows) {
      const outcome = await resealRow(database, cipher, sealedColumn, row);
      if (outcome !== "current") counts[outcome] += 1;
      await pause();
    }
    const last = rows.at(-1);
    if (!last) return counts;
    afterId = last.id;
  }
}

async function nextRows(
  { read }: Database,
  { table, column }: SealedColumn,
  afterId: string,
): Promise<SealedRow[]> {
  return await read.query<SealedRow>(
    `SELECT id, ${column} AS sealed FROM ${table} ${dialectSql[read.dialect].usePrimaryKey(table)}
      WHERE id > ? AND ${column} IS NOT NULL ORDER BY id LIMIT ${PAGE_SIZE}`,
    [afterId],
  );
}

async function resealRow(
  database: Database,
  cipher: Cipher,
  { table, column, place }: SealedColumn,
  { id, sealed }: SealedRow,
): Promise<"resealed" | "unreadable" | "current"> {
  let known: string | null | undefined = sealed;
  while (known && !known.startsWith(cipher.prefix)) {
    const text = openIfPossible(cipher, known, place(id));
    if (text === undefined) return "unreadable";
    const before: string = known;
    const touched = await database.transaction(async (transaction) => {
      const fresh = await sealWithin(transaction, cipher, text, place(id));
      return await transaction.execute(`UPDATE ${table} SET ${column} = ? WHERE id = ? AND ${column} = ?`, [
        fresh,
        id,
        before,
      ]);
    });
    if (touched === 1) return "resealed";
    // Somebody changed it meanwhile, perhaps a node that seals with the other key still.
    const [now] = await database.read.query<{ sealed: string | null }>(
      `SELECT ${column} AS sealed FROM ${table} WHERE id = ?`,
      [id],
    );
    known = now?.sealed;
  }
  return "current";
}

function openIfPossible(cipher: Cipher, sealed: string, place: string): string | undefined {
  try {
    return cipher.open(sealed, place);
  } catch (error) {
    if (error instanceof CannotOpen) return undefined;
    throw error;
  }
}
