import { queryWords, searchWords } from "../../../../../lib/search-words.ts";
import type { ListRecordsParams, RecordResource } from "../../../../../services/records/record.schema.ts";

/**
 * What a list must show, worked out the plain way: all records of a workspace, filtered, then sorted by code
 * point with ties by id.
 */
export function modelList(
  records: Iterable<RecordResource>,
  { type, status, q, sort = "created_at", order = "asc" }: ListRecordsParams,
): RecordResource[] {
  const sign = order === "asc" ? 1 : -1;
  return [...records]
    .filter((record) => type === undefined || record.type === type)
    .filter((record) => status === undefined || record.status === status)
    .filter((record) => q === undefined || isFound(record, q))
    .sort((left, right) => sign * (compareBytes(left[sort], right[sort]) || compareBytes(left.id, right.id)));
}

/** The distinct index words of a record. */
export function modelWords({ name, fields }: RecordResource): string[] {
  return searchWords([name, ...Object.values(fields)]);
}

/** UTF-8 sorts by code point. */
function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function isFound(record: RecordResource, q: string): boolean {
  const words = modelWords(record);
  const prefixes = queryWords(q);
  return prefixes.length > 0 && prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));
}
