import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";
import type { DeliveryStatus } from "../../lib/delivery-states.ts";

/** What is sent where: each is a file in channels/. */
export const channels = ["webhook", "slack", "discord", "zapier", "mail"] as const;
export type Channel = (typeof channels)[number];

/** One event on its way to one target. */
export interface DeliveryRow {
  id: string;
  workspace_id: string;
  event_id: string;
  event: string;
  channel: Channel;
  /** Id of the registration, the integration or, for mail, the user. */
  target_id: string;
  status: DeliveryStatus;
  attempt_count: number;
  /** Milliseconds since 1970 by the database's clock, like all times of deliveries. */
  created_at: number;
  /** Null while it is pending. */
  finished_at: number | null;
}

/** The table of deliveries: an event goes to a target once, however many dispatchers fan it out. */
export const deliveryEntity = ({ id, string, integer }: ColumnTypes) =>
  new EntitySchema<DeliveryRow>({
    name: "delivery",
    tableName: "deliveries",
    columns: {
      id: { primary: true, ...id },
      workspace_id: id,
      event_id: id,
      event: string(64),
      channel: string(16),
      target_id: id,
      status: string(16),
      attempt_count: integer,
      created_at: integer,
      finished_at: { nullable: true, ...integer },
    },
    indices: [
      { name: "deliveries_event", columns: ["event_id", "target_id"], unique: true },
      { name: "deliveries_target", columns: ["target_id", "id"] },
      { name: "deliveries_status", columns: ["target_id", "status", "event", "id"] },
    ],
  });
