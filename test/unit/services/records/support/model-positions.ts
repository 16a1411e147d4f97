import { listOrder } from "../../../../../db/listing/list-order.ts";
import type { ListFilter } from "../../../../../db/listing/listing.ts";
import type { ListPosition } from "../../../../../lib/paging.ts";
import type { ListRecordsParams, RecordResource } from "../../../../../services/records/record.schema.ts";
import { recordListing } from "../../../../../services/records/record-listing.ts";
import { modelList } from "./record-model.ts";

/** Where the records that a search must find stand, in its order. */
export function modelPositions(
  records: readonly RecordResource[],
  filter: ListFilter,
  { sort, order, q }: ListRecordsParams,
): ListPosition[] {
  const { column } = listOrder(recordListing, sort, order, filter);
  const sortValue = (record: RecordResource) =>
    column === "updated_at" ? Date.parse(record.updated_at) : record[column];
  const { group, status } = filter;
  const found = modelList(records, { type: group, status, sort, order, q });
  return found.map((record) => ({ value: sortValue(record), id: record.id }));
}
