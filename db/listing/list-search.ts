import { unavailable } from "../../lib/errors.ts";
import { Gate } from "../../lib/gate.ts";
import { createPacer, type Pacer } from "../../lib/pacer.ts";
import type { ListPosition } from "../../lib/paging.ts";
import type { Sql, SqlValue } from "../database.ts";
import { dialectSql } from "../dialect.ts";
import { countItems } from "./list-counts.ts";
import { comparePositions } from "./list-order.ts";
import { type ListView, listPositions } from "./list-positions.ts";
import type { PositionRange } from "./listing.ts";
import { countEntries, nextEntries, type WordEntry } from "./word-index.ts";

/** Totals of a search count no further, and what exceeds it is too much to collect and sort. */
const MAX_TOTAL = 10_000;
/** Searches that look at many rows, at a time: more would only slow each other and everything else. */
const MAX_LONG_SEARCHES = 2;
/** After so long a search gives up: whoever asked has had a 503 or left. */
const MAX_SEARCH_MS = 6_000;
/** Rows a statement looks at: others get their turn between two of them. */
const SLICE = 250;
/** Words a statement probes for: SQLite bounds the depth of a condition, and a turn must stay short. */
const PROBED_WORDS = 8;

export interface ListSearch extends ListView {
  readonly sql: Sql;
  /** What the words that are looked for begin with; all must be found, and there is at least one. */
  readonly prefixes: readonly string[];
}

interface RunningSearch extends ListSearch {
  /** On the clock of `performance.now()`. */
  readonly endsAtMs: number;
}

export interface SearchResult {
  readonly positions: ListPosition[];
  /** Counted to `maxTotal` and no further. */
  readonly total: number;
}

/**
 * Finds rows that have all words, in an order. There are three ways to the same answer, and the index says
 * beforehand which is cheap:
 * - a rare word: collect the rows that have it, then sort them;
 * - few rows in the filter: look at each of them in order;
 * - both are many: look at rows in order until the page is full, and count by the rarest word.
 * @param maxTotal where counting ends, and from where on a word or a filter has many rows
 */
export async function searchPositions(
  search: ListSearch,
  range: PositionRange,
  maxTotal = MAX_TOTAL,
): Promise<SearchResult> {
  const running = { ...search, endsAtMs: performance.now() + MAX_SEARCH_MS };
  const { word, entries } = await rarestWord(running, maxTotal);
  if (entries === 0) return { positions: [], total: 0 };
  if (entries <= Math.min(SLICE, maxTotal)) return await searchByWord(running, word, range);
  return await longSearches.run(async () => {
    if (entries <= maxTotal) return await searchByWord(running, word, range);
    if ((await countItems(search.sql, search.listing, search.filter)) <= maxTotal)
      return await searchByFilter(running, range);
    return {
      positions: await fillPage(running, range),
      total: (await collectByWord(running, word, maxTotal)).length,
    };
  });
}

const longSearches = new Gate(MAX_LONG_SEARCHES);

/** A pacer that ends the search when its time is up. */
function searchPacer({ endsAtMs }: RunningSearch): Pacer {
  const pause = createPacer();
  return async () => {
    if (performance.now() > endsAtMs) throw unavailable(new Error(`A search took over ${MAX_SEARCH_MS} ms.`));
    await pause();
  };
}

/** A common word beside a rare one is counted no further than it takes to see that it is common. */
async function rarestWord(
  { sql, listing, filter, prefixes }: ListSearch,
  maxTotal: number,
): Promise<{ word: string; entries: number }> {
  const pause = createPacer();
  let rarest = { word: "", entries: 0 };
  for (const bound of [Math.min(SLICE, maxTotal), maxTotal]) {
    rarest = { word: "", entries: Number.POSITIVE_INFINITY };
    for (const word of prefixes) {
      const atMost = Math.min(rarest.entries, bound + 1);
      const entries = await countEntries(sql, listing.index, filter.workspaceId, word, atMost);
      if (entries < rarest.entries) rarest = { word, entries };
      await pause();
    }
    if (rarest.entries <= bound) break;
  }
  return rarest;
}

async function searchByWord(
  search: RunningSearch,
  word: string,
  { after, offset, limit }: PositionRange,
): Promise<SearchResult> {
  const compare = comparePositions(search.order);
  const all = (await collectByWord(search, word, Number.POSITIVE_INFINITY)).sort(compare);
  const rest = after ? all.filter((position) => compare(position, after) > 0) : all;
  return { positions: rest.slice(offset, offset + limit), total: all.length };
}

/** The matching rows that have the word, unordered; about so many of them, where there are more. */
async function collectByWord(search: RunningSearch, word: string, atMost: number): Promise<ListPosition[]> {
  const { sql, listing, filter } = search;
  const pause = searchPacer(search);
  await pause();
  const seen = new Set<string>();
  const found: ListPosition[] = [];
  let last: WordEntry | undefined;
  do {
    const entries: WordEntry[] = await nextEntries(sql, listing.index, filter.workspaceId, word, last, SLICE);
    last = entries.length === SLICE ? entries.at(-1) : undefined;
    // A row stands here once for each of its words that begin so.
    const ids = entries.map(({ id }) => id).filter((id) => !seen.has(id) && seen.add(id));
    found.push(...(await matching(search, ids)));
    await pause();
  } while (last && found.length < atMost);
  return found.slice(0, atMost);
}

async function searchByFilter(
  search: RunningSearch,
  { after, offset, limit }: PositionRange,
): Promise<SearchResult> {
  const compare = comparePositions(search.order);
  const all: ListPosition[] = [];
  for await (const position of walk(search, undefined)) all.push(position);
  const rest = after ? all.filter((position) => compare(position, after) > 0) : all;
  return { positions: rest.slice(offset, offset + limit), total: all.length };
}

async function fillPage(
  search: RunningSearch,
  { after, offset, limit }: PositionRange,
): Promise<ListPosition[]> {
  const positions: ListPosition[] = [];
  let toSkip = offset;
  for await (const position of walk(search, after)) {
    if (toSkip > 0) toSkip -= 1;
    else if (positions.push(position) === limit) break;
  }
  return positions;
}

/** The matching rows in order, from behind a position. */
async function* walk(search: RunningSearch, after: ListPosition | undefined): AsyncGenerator<ListPosition> {
  const pause = searchPacer(search);
  await pause();
  let last = after;
  do {
    const slice: ListPosition[] = await listPositions(search.sql, search, {
      after: last,
      offset: 0,
      limit: SLICE,
    });
    last = slice.length === SLICE ? slice.at(-1) : undefined;
    const ids = slice.map(({ id }) => id);
    const hits = new Set((await matching(search, ids)).map(({ id }) => id));
    yield* slice.filter(({ id }) => hits.has(id));
    await pause();
  } while (last);
}

/** Those of the rows that are in the filter and have all words. */
async function matching(search: ListSearch, ids: readonly string[]): Promise<ListPosition[]> {
  const { prefixes } = search;
  const pause = createPacer();
  let found: ListPosition[] = [];
  let left = ids;
  for (let start = 0; start < prefixes.length && left.length > 0; start += PROBED_WORDS) {
    found = await probe(search, prefixes.slice(start, start + PROBED_WORDS), left);
    left = found.map(({ id }) => id);
    await pause();
  }
  return found;
}

/** Those of the rows that are in the filter and have these words. */
async function probe(
  { sql, listing, filter, order }: ListSearch,
  prefixes: readonly string[],
  ids: readonly string[],
): Promise<ListPosition[]> {
  const conditions = prefixes.map(() => "INSTR(words, ?) > 0");
  const values: SqlValue[] = prefixes.map((prefix) => ` ${prefix}`);
  if (filter.group !== undefined) {
    conditions.push(`${listing.group} = ?`);
    values.push(filter.group);
  }
  if (filter.status !== undefined) {
    conditions.push("status = ?");
    values.push(filter.status);
  }
  return await sql.query<ListPosition>(
    `SELECT id, ${order.column} AS value FROM ${listing.table} ${dialectSql[sql.dialect].usePrimaryKey(listing.table)}
      WHERE id IN (${idPlaceholders}) AND workspace_id = ? AND ${conditions.join(" AND ")}`,
    [...padded(ids), filter.workspaceId, ...values],
  );
}

/** Always the same number of ids, the last one repeated, so that there is one statement to prepare. */
const idPlaceholders = Array(SLICE).fill("?").join(", ");

function padded(ids: readonly string[]): string[] {
  return Array.from({ length: SLICE }, (_, at) => ids[Math.min(at, ids.length - 1)] ?? "");
}
