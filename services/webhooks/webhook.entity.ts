import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";

/** A registration: where a workspace's events are sent. */
export interface WebhookRow {
  id: string;
  workspace_id: string;
  url: string;
  /** JSON array of event names, as the client sent it. */
  events: string;
  status: "active";
  /** Sealed; null where deliveries are not signed. */
  secret: string | null;
  /** Milliseconds since 1970. */
  created_at: number;
  /** Milliseconds since 1970 by the database's clock: it hears of events from then on. */
  stands_since: number;
}

/** The table of webhook registrations. */
export const webhookEntity = ({ id, string, longText, integer }: ColumnTypes) =>
  new EntitySchema<WebhookRow>({
    name: "webhook",
    tableName: "webhooks",
    columns: {
      id: { primary: true, ...id },
      workspace_id: id,
      url: string(2_048),
      events: longText,
      status: string(16),
      secret: { nullable: true, ...longText },
      created_at: integer,
      stands_since: integer,
    },
    foreignKeys: [
      {
        name: "webhooks_workspace",
        target: "workspace",
        columnNames: ["workspace_id"],
        referencedColumnNames: ["id"],
      },
    ],
    indices: [{ name: "webhooks_workspace_id", columns: ["workspace_id", "id"] }],
  });
