import type { ParamsOf, ParamsSchema } from "../../mixins/action.ts";
import { id, listParams } from "../../mixins/params.schema.ts";

export const recordStatuses = ["active", "archived", "draft"] as const;
export type RecordStatus = (typeof recordStatuses)[number];

/** What `sort` may name. */
export const recordSorts = ["id", "name", "type", "status", "created_at", "updated_at"] as const;
export type RecordSort = (typeof recordSorts)[number];

/** Limits of a record that no schema can say. */
export const MAX_RECORD_BYTES = 65_536;
export const MAX_FIELDS = 100;
export const MAX_BULK = 1_000;

const name = {
  type: "string",
  maxLength: 255,
  notBlank: true,
  format: "storable",
  semantic: ["notBlank"],
} as const;

const type = {
  type: "string",
  maxLength: 64,
  notBlank: true,
  format: "storable",
  semantic: ["notBlank"],
} as const;

const fields = {
  type: "object",
  maxProperties: MAX_FIELDS,
  propertyNames: { minLength: 1, maxKeyLength: 64, format: "storableKey" },
  additionalProperties: { type: "string", maxLength: 10_000, format: "storable", semantic: ["type"] },
} as const;

const tags = {
  type: "array",
  maxItems: 50,
  items: { type: "string", minLength: 1, maxLength: 64, format: "storable" },
} as const;

const newRecord = {
  type: "object",
  additionalProperties: false,
  required: ["name", "type"],
  properties: { name, type, fields, tags },
} as const satisfies ParamsSchema;

export const createRecordSchema = newRecord;

export const updateRecordSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id"],
  properties: {
    id,
    name,
    fields,
    tags,
    status: { type: "string", enum: recordStatuses, format: "storable", semantic: ["enum"] },
  },
} as const satisfies ParamsSchema;

export const bulkCreateSchema = {
  type: "object",
  additionalProperties: false,
  required: ["records"],
  properties: {
    records: {
      type: "array",
      minItems: 1,
      maxItems: MAX_BULK,
      items: newRecord,
      semantic: ["minItems"],
    },
  },
} as const satisfies ParamsSchema;

export const bulkRemoveSchema = {
  type: "object",
  additionalProperties: false,
  required: ["ids"],
  properties: {
    ids: { type: "array", minItems: 1, maxItems: MAX_BULK, items: id, semantic: ["minItems"] },
  },
} as const satisfies ParamsSchema;

export const listRecordsSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    type: { type: "string", format: "storable" },
    status: { type: "string", format: "storable" },
    sort: { type: "string", enum: recordSorts },
    ...listParams,
  },
} as const satisfies ParamsSchema;

export type NewRecord = ParamsOf<typeof createRecordSchema>;
export type RecordPatch = ParamsOf<typeof updateRecordSchema>;
export type BulkCreateParams = ParamsOf<typeof bulkCreateSchema>;
export type BulkRemoveParams = ParamsOf<typeof bulkRemoveSchema>;
export type ListRecordsParams = ParamsOf<typeof listRecordsSchema>;

/** A record as the interface shows it. */
export interface RecordResource {
  id: string;
  name: string;
  type: string;
  status: string;
  fields: Record<string, string>;
  tags: string[];
  created_at: string;
  updated_at: string;
}

/** What a bulk create gives back. */
export interface CreatedRecords {
  items: RecordResource[];
  created: number;
}
