import type { NewRecord } from "../../../../../services/records/record.schema.ts";

const LONGEST_VALUE = 10_000;

/**
 * A record of exactly so many bytes as its size is counted: name and type as text, fields and tags as JSON.
 * @param bytes enough for the empty record, and no more than seven long field values hold
 */
export function contentOfBytes(bytes: number): NewRecord {
  const record = { name: "Large", type: "note", fields: {}, tags: [] };
  const fields: Record<string, string> = { f0: "", f1: "", f2: "", f3: "", f4: "", f5: "", f6: "" };
  let rest = bytes - record.name.length - record.type.length - JSON.stringify(fields).length - "[]".length;
  for (const key of Object.keys(fields)) {
    const length = Math.min(rest, LONGEST_VALUE);
    fields[key] = "x".repeat(length);
    rest -= length;
  }
  return { ...record, fields };
}
