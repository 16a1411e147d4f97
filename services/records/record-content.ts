import { ServiceError } from "../../lib/errors.ts";
import { markKeys, stringifyOrdered } from "../../lib/ordered-json.ts";
import type { RecordRow } from "./record.entity.ts";
import { MAX_FIELDS, MAX_RECORD_BYTES } from "./record.schema.ts";
import { findableWords } from "./record-words.ts";

/** What of a record its client writes. */
export interface RecordContent {
  readonly name: string;
  readonly type: string;
  readonly fields: Record<string, string>;
  readonly tags: readonly string[];
}

export type StoredContent = Pick<RecordRow, "name" | "type" | "fields" | "tags" | "words">;

/**
 * The content as it is stored, with the words that it is found by.
 * @param path of the record in the request, as in `records.3`; empty where the request is the record
 * @throws ServiceError 400 for a record over its size
 */
export function storeContent(content: RecordContent, path = ""): StoredContent {
  return { ...toTexts(content, path), words: findableWords(content.name, content.fields) };
}

/**
 * Refuses a patch that no record could take, so that this is known before the record is looked for.
 * @throws ServiceError 400 where the patch is over a record's size by itself
 */
export function checkPatchSize(patch: Partial<RecordContent>): void {
  toTexts({ name: "", type: "", fields: {}, tags: [], ...patch }, "");
}

function toTexts({ name, type, fields, tags }: RecordContent, path: string): Omit<StoredContent, "words"> {
  const fieldsText = stringifyOrdered(markKeys(fields));
  const tagsText = JSON.stringify(tags);
  const bytes = [name, type, fieldsText, tagsText].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  if (bytes > MAX_RECORD_BYTES) throw tooLarge(path, bytes);
  return { name, type, fields: fieldsText, tags: tagsText };
}

/** The fields with a patch merged into them: its keys win, others stay as and where they are. */
export function mergeFields(
  fields: Record<string, string>,
  patch: Record<string, string> = {},
): Record<string, string> {
  const merged = { ...fields, ...markKeys(patch) };
  if (Object.keys(merged).length <= MAX_FIELDS) return merged;
  throw overLimit("fields", `must have at most ${MAX_FIELDS} members, those that it has already included`);
}

function tooLarge(path: string, bytes: number): ServiceError {
  const limit = MAX_RECORD_BYTES.toLocaleString("en");
  return overLimit(path, `must have at most ${limit} bytes in all, not ${bytes.toLocaleString("en")}`);
}

function overLimit(path: string, message: string): ServiceError {
  return new ServiceError(
    "invalid_request",
    `The request is not valid: ${path || "the record"} ${message}.`,
    {
      details: [{ path, message }],
    },
  );
}
