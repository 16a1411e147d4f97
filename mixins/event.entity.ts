import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../db/columns.ts";

/** Something that happened, written with the rows that it happened to. */
export interface EventRow {
  id: string;
  workspace_id: string;
  event: string;
  /** The bytes that every receiver gets. */
  payload: string;
  /** Milliseconds since 1970 by the database's clock. */
  created_at: number;
}

export const eventEntity = ({ id, string, longText, integer }: ColumnTypes) =>
  new EntitySchema<EventRow>({
    name: "event",
    tableName: "events",
    columns: {
      id: { primary: true, ...id },
      workspace_id: id,
      event: string(64),
      payload: longText,
      created_at: integer,
    },
  });
