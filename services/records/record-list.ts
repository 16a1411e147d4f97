import type { Sql } from "../../db/database.ts";
import type { Caller } from "../../lib/caller.ts";
import { notFound } from "../../lib/errors.ts";
import { type ListResult, type ListScope, type Page, readPage, toListResult } from "../../lib/paging.ts";
import { queryWords } from "../../lib/search-words.ts";
import { findRecord, findRecords } from "./record.repository.ts";
import type { ListRecordsParams, RecordResource } from "./record.schema.ts";
import { countRecords } from "./record-count.repository.ts";
import { orderValueType, type RecordFilter, type RecordOrder, recordOrder } from "./record-order.ts";
import { listPositions } from "./record-positions.ts";
import { type SearchResult, searchPositions } from "./record-search.ts";
import { toResource } from "./record-view.ts";

/** One record of the caller's workspace. Throws 404 where there is none with the id. */
export async function getRecord(sql: Sql, caller: Caller, id: string): Promise<RecordResource> {
  const row = await findRecord(sql, caller.workspaceId, id);
  if (!row) throw notFound("record");
  return toResource(row);
}

/**
 * One page of the caller's records.
 * @throws ServiceError 400 for a cursor that does not fit, or too deep a page
 */
export async function listRecords(
  sql: Sql,
  caller: Caller,
  params: ListRecordsParams,
): Promise<ListResult<RecordResource>> {
  const filter: RecordFilter = { workspaceId: caller.workspaceId, type: params.type, status: params.status };
  const order = recordOrder(params.sort, params.order, filter);
  const scope: ListScope = {
    parts: [
      "records",
      caller.workspaceId,
      order.column,
      order.direction,
      filter.type,
      filter.status,
      params.q,
    ],
    valueType: orderValueType(order),
  };
  const page = readPage(params, scope);
  const { positions, total } = await findPositions(sql, filter, order, page, params.q);
  const ids = positions.slice(0, page.perPage).map(({ id }) => id);
  const rows = await findRecords(sql, caller.workspaceId, ids);
  return toListResult(page, scope, rows.map(toResource), positions, total);
}

async function findPositions(
  sql: Sql,
  filter: RecordFilter,
  order: RecordOrder,
  { after, offset, perPage }: Page,
  q: string | undefined,
): Promise<SearchResult> {
  const range = { after, offset, limit: perPage + 1 };
  if (q === undefined) {
    const positions = await listPositions(sql, filter, order, range);
    return { positions, total: await countRecords(sql, filter) };
  }
  const prefixes = queryWords(q);
  if (prefixes.length === 0) return { positions: [], total: 0 };
  return await searchPositions({ sql, filter, order, prefixes }, range);
}
