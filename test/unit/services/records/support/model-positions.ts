import type { ListPosition } from "../../../../../lib/paging.ts";
import type { ListRecordsParams, RecordResource } from "../../../../../services/records/record.schema.ts";
import { type RecordFilter, recordOrder } from "../../../../../services/records/record-order.ts";
import { modelList } from "./record-model.ts";

/** Where the records that a search must find stand, in its order. */
export function modelPositions(
  records: readonly RecordResource[],
  filter: RecordFilter,
  { sort, order, q }: ListRecordsParams,
): ListPosition[] {
  const { column } = recordOrder(sort, order, filter);
  const sortValue = (record: RecordResource) =>
    column === "updated_at" ? Date.parse(record.updated_at) : record[column];
  const { type, status } = filter;
  const found = modelList(records, { type, status, sort, order, q });
  return found.map((record) => ({ value: sortValue(record), id: record.id }));
}
