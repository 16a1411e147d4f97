import type { Sql } from "../../db/database.ts";
import type { Listing } from "../../db/listing/listing.ts";
import { joinWords } from "../../db/listing/stored-words.ts";

/** A row as counters and search index must know it. */
export interface ListedRow {
  readonly id: string;
  readonly workspace_id: string;
  readonly group: string;
  readonly status: string;
  /** As the row keeps them. */
  readonly words: string | null;
  /** What it is to be found by. */
  readonly texts: readonly string[];
}

/** Everything in which the counters and index words of a listing contradict its rows. */
export async function listingContradictions(
  sql: Sql,
  listing: Listing,
  rows: readonly ListedRow[],
): Promise<string[]> {
  return [
    ...(await countContradictions(sql, listing, rows)),
    ...(await wordContradictions(sql, listing, rows)),
  ];
}

async function countContradictions(
  sql: Sql,
  { counts, group }: Listing,
  rows: readonly ListedRow[],
): Promise<string[]> {
  const expected = new Map<string, number>();
  const add = (to: Map<string, number>, key: string, by: number) => to.set(key, (to.get(key) ?? 0) + by);
  for (const row of rows) {
    for (const counted of [row.group, ""]) add(expected, `${row.workspace_id} "${counted}" ${row.status}`, 1);
  }
  const actual = new Map<string, number>();
  const faults: string[] = [];
  const counters = await sql.query<{ workspace_id: string; counted: string; status: string; count: number }>(
    `SELECT workspace_id, ${group} AS counted, status, count FROM ${counts}`,
  );
  for (const { workspace_id, counted, status, count } of counters) {
    add(actual, `${workspace_id} "${counted}" ${status}`, count);
    if (count === 0) faults.push(`a counter of nothing is left for "${counted}" in ${counts}`);
  }
  for (const key of new Set([...expected.keys(), ...actual.keys()])) {
    const [counted, there] = [actual.get(key) ?? 0, expected.get(key) ?? 0];
    if (counted !== there) faults.push(`${counts} has ${counted} of ${key}, there are ${there}`);
  }
  return faults;
}

async function wordContradictions(
  sql: Sql,
  { index: { table, itemColumn } }: Listing,
  rows: readonly ListedRow[],
): Promise<string[]> {
  const expected = new Set<string>();
  const faults: string[] = [];
  for (const { id, workspace_id, words, texts } of rows) {
    if (words !== joinWords(texts)) faults.push(`${id} has the words of other texts`);
    for (const word of (words ?? "").split(" ").slice(1)) expected.add(`${workspace_id} ${word} ${id}`);
  }
  const entries = await sql.query<{ workspace_id: string; word: string; id: string }>(
    `SELECT workspace_id, word, ${itemColumn} AS id FROM ${table}`,
  );
  for (const { workspace_id, word, id } of entries) {
    const key = `${workspace_id} ${word} ${id}`;
    if (!expected.delete(key)) faults.push(`${table} has ${key}, the rows do not`);
  }
  return [...faults, ...[...expected].map((key) => `${table} lacks ${key}`)];
}
