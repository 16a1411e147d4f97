import {
  type ListResult,
  type ListScope,
  type PageParams,
  readPage,
  toListResult,
} from "../../lib/paging.ts";
import { queryWords } from "../../lib/search-words.ts";
import type { Sql } from "../database.ts";
import { countItems } from "./list-counts.ts";
import { type Direction, listOrder } from "./list-order.ts";
import { type ListView, listPositions } from "./list-positions.ts";
import { type SearchResult, searchPositions } from "./list-search.ts";
import type { ListFilter, Listing, PositionRange } from "./listing.ts";

/** What a client asks of a list beside its filter. */
export interface ListParams<Column extends string> extends PageParams {
  readonly sort?: Column | "id" | "created_at";
  readonly order?: Direction;
  readonly q?: string;
}

/**
 * One page of a list.
 * @param fetch gives the things with these ids, in their order; where one has gone meanwhile, without it
 * @throws ServiceError 400 for a cursor that does not fit, or too deep a page
 */
export async function listPage<Column extends string, Item>(
  sql: Sql,
  listing: Listing<Column>,
  filter: ListFilter,
  params: ListParams<Column>,
  fetch: (ids: readonly string[]) => Promise<Item[]>,
): Promise<ListResult<Item>> {
  const order = listOrder(listing, params.sort, params.order, filter);
  const { workspaceId, group, status } = filter;
  const scope: ListScope = {
    parts: [listing.table, workspaceId, order.column, order.direction, group, status, params.q],
    valueType: order.valueType,
  };
  const page = readPage(params, scope);
  const range = { after: page.after, offset: page.offset, limit: page.perPage + 1 };
  const { positions, total } = await findPositions(sql, { listing, filter, order }, range, params.q);
  const items = await fetch(positions.slice(0, page.perPage).map(({ id }) => id));
  return toListResult(page, scope, items, positions, total);
}

async function findPositions(
  sql: Sql,
  view: ListView,
  range: PositionRange,
  q: string | undefined,
): Promise<SearchResult> {
  if (q === undefined) {
    const positions = await listPositions(sql, view, range);
    return { positions, total: await countItems(sql, view.listing, view.filter) };
  }
  const prefixes = queryWords(q);
  if (prefixes.length === 0) return { positions: [], total: 0 };
  return await searchPositions({ sql, ...view, prefixes }, range);
}
