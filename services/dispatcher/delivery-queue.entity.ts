import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";
import type { Lane } from "../../lib/delivery-states.ts";
import type { Channel } from "./delivery.entity.ts";

/**
 * A delivery that is still to be made. Whoever claims it writes a claim id, and sets `due_at` as far ahead as the
 * claim lasts: that of a dead dispatcher becomes due by itself, and the next claim id fences the old one off.
 */
export interface QueuedRow {
  delivery_id: string;
  channel: Channel;
  target_id: string;
  lane: Lane;
  due_at: number;
  claim_id: string | null;
}

export const deliveryQueueEntity = ({ id, string, integer }: ColumnTypes) =>
  new EntitySchema<QueuedRow>({
    name: "queuedDelivery",
    tableName: "delivery_queue",
    columns: {
      delivery_id: { primary: true, ...id },
      channel: string(16),
      target_id: id,
      lane: integer,
      due_at: integer,
      claim_id: { nullable: true, ...id },
    },
    indices: [{ name: "delivery_queue_due", columns: ["target_id", "lane", "due_at", "delivery_id"] }],
  });
