import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";

export interface RecordRow {
  id: string;
  workspace_id: string;
  name: string;
  type: string;
  status: string;
  /** Index words, each with a space before it: what the search probes, and what to remove from the index. */
  words: string;
  /** JSON array of strings. */
  tags: string;
  /** JSON object of strings, its members in the order in which the client sent them. */
  fields: string;
  /** Milliseconds since 1970, as the id has them: sorting by either is the same. */
  created_at: number;
  updated_at: number;
}

/** The table of records. Each index serves one sort, within a status and optionally a type: see record-positions.ts. */
export const recordEntity = ({ id, string, longText, integer }: ColumnTypes) =>
  new EntitySchema<RecordRow>({
    name: "record",
    tableName: "records",
    columns: {
      id: { primary: true, ...id },
      workspace_id: id,
      name: string(255),
      type: string(64),
      status: string(16),
      created_at: integer,
      updated_at: integer,
      words: longText,
      tags: longText,
      fields: longText,
    },
    indices: [
      { name: "records_id", columns: ["workspace_id", "status", "id"] },
      { name: "records_name", columns: ["workspace_id", "status", "name", "id"] },
      { name: "records_updated", columns: ["workspace_id", "status", "updated_at", "id"] },
      { name: "records_type", columns: ["workspace_id", "status", "type", "id"] },
      { name: "records_type_name", columns: ["workspace_id", "status", "type", "name", "id"] },
      { name: "records_type_updated", columns: ["workspace_id", "status", "type", "updated_at", "id"] },
    ],
  });
