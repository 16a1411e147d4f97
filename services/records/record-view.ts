import { isoTime } from "../../lib/iso-time.ts";
import { parseOrdered } from "../../lib/ordered-json.ts";
import type { ShownRow } from "./record.repository.ts";
import type { RecordResource } from "./record.schema.ts";

/** A record as the interface shows it. */
export function toResource(row: ShownRow): RecordResource {
  return {
    id: row.id,
    name: row.name,
    type: row.type,
    status: row.status,
    fields: readFields(row.fields),
    tags: readTags(row.tags),
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}

/** The members of a stored JSON object of strings. */
export function readFields(text: string): Record<string, string> {
  return parseOrdered<Record<string, string>>(text);
}

/** A stored JSON array of strings. */
export function readTags(text: string): string[] {
  const tags: string[] = JSON.parse(text);
  return tags;
}
