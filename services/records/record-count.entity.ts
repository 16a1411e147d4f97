import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";

/** How many records a workspace has of a type and status: the sum over the slots. */
export interface RecordCountRow {
  workspace_id: string;
  /** Empty for the sum over all types: no record's type is empty. */
  type: string;
  status: string;
  /** Spreads a busy counter over several rows, so that writers need not wait for each other. */
  slot: number;
  count: number;
}

export const recordCountEntity = ({ id, string, integer }: ColumnTypes) =>
  new EntitySchema<RecordCountRow>({
    name: "recordCount",
    tableName: "record_counts",
    withoutRowid: true,
    columns: {
      workspace_id: { primary: true, ...id },
      type: { primary: true, ...string(64) },
      status: { primary: true, ...string(16) },
      slot: { primary: true, ...integer },
      count: integer,
    },
  });
