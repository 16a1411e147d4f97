import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../db/columns.ts";

/**
 * An event for which nobody has made deliveries yet. It stands beside the event and not in it, since a mark in
 * that row would write its payload again.
 */
export interface PendingEventRow {
  event_id: string;
  workspace_id: string;
  event: string;
  /** Milliseconds since 1970 by the database's clock, as the event has it. */
  created_at: number;
}

export const pendingEventEntity = ({ id, string, integer }: ColumnTypes) =>
  new EntitySchema<PendingEventRow>({
    name: "pendingEvent",
    tableName: "pending_events",
    columns: {
      event_id: { primary: true, ...id },
      workspace_id: id,
      event: string(64),
      created_at: integer,
    },
  });
