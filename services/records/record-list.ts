import type { Sql } from "../../db/database.ts";
import { listPage } from "../../db/listing/list-page.ts";
import type { Caller } from "../../lib/caller.ts";
import { notFound } from "../../lib/errors.ts";
import type { ListResult } from "../../lib/paging.ts";
import { findRecord, findRecords } from "./record.repository.ts";
import type { ListRecordsParams, RecordResource } from "./record.schema.ts";
import { recordFilter, recordListing } from "./record-listing.ts";
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
  { workspaceId }: Caller,
  params: ListRecordsParams,
): Promise<ListResult<RecordResource>> {
  const filter = recordFilter(workspaceId, params);
  return await listPage(sql, recordListing, filter, params, async (ids) =>
    (await findRecords(sql, workspaceId, ids)).map(toResource),
  );
}
