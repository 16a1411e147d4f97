import type { ListFilter, Listing } from "../../db/listing/listing.ts";
import type { ReindexedListing } from "../../db/listing/reindex.ts";
import type { RecordRow } from "./record.entity.ts";
import { lockRecords } from "./record.repository.ts";
import { type ListRecordsParams, type RecordSort, recordStatuses } from "./record.schema.ts";
import { readFields } from "./record-view.ts";
import { searchedTexts } from "./record-words.ts";

/** How records are listed, counted and searched: by which indexes, and in which tables. */
export const recordListing: Listing<Exclude<RecordSort, "id" | "created_at">> = {
  table: "records",
  idKind: "record",
  group: "type",
  statuses: recordStatuses,
  sorts: {
    id: { valueType: "string", index: "records_id", groupIndex: "records_type" },
    status: { valueType: "string", index: "records_id", groupIndex: "records_type" },
    name: { valueType: "string", index: "records_name", groupIndex: "records_type_name" },
    updated_at: { valueType: "number", index: "records_updated", groupIndex: "records_type_updated" },
    type: { valueType: "string", index: "records_type", groupIndex: "records_type" },
  },
  counts: "record_counts",
  index: { table: "record_words", itemColumn: "record_id" },
};

/** The workspace's records that a list is asked for. */
export function recordFilter(workspaceId: string, { type, status }: ListRecordsParams): ListFilter {
  return { workspaceId, group: type, status };
}

/** How the index of records is mended. */
export const reindexedRecords: ReindexedListing<RecordRow> = {
  listing: recordListing,
  settings: { version: "search.version", reindexed: "search.reindexed" },
  lock: async (transaction, workspaceId, id) => (await lockRecords(transaction, workspaceId, [id])).at(0),
  texts: ({ name, fields }) => searchedTexts(name, readFields(fields)),
};
