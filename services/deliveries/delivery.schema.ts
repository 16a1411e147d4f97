import { type DeliveryStatus, deliveryStatuses } from "../../lib/delivery-states.ts";
import { type EventName, eventNames } from "../../lib/event-names.ts";
import type { ParamsOf, ParamsSchema } from "../../mixins/action.ts";
import { id, listParams, oneOf, pageParams } from "../../mixins/params.schema.ts";

/** In all of these `id` is the registration's. */
export const listDeliveriesSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id"],
  properties: {
    id,
    status: oneOf(deliveryStatuses),
    event: oneOf(eventNames),
    order: listParams.order,
    cursor: listParams.cursor,
    ...pageParams,
  },
} as const satisfies ParamsSchema;

export const oneDeliverySchema = {
  type: "object",
  additionalProperties: false,
  required: ["id", "delivery_id"],
  properties: { id, delivery_id: id },
} as const satisfies ParamsSchema;

/** Whether `since` is a time is judged where it is read: see since.ts. */
export const recoverSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id", "since"],
  properties: { id, since: { type: "string", maxLength: 64 } },
} as const satisfies ParamsSchema;

export type ListDeliveriesParams = ParamsOf<typeof listDeliveriesSchema>;
export type OneDeliveryParams = ParamsOf<typeof oneDeliverySchema>;
export type RecoverParams = ParamsOf<typeof recoverSchema>;

/** A delivery as lists show it. */
export interface DeliveryResource {
  id: string;
  event: EventName;
  status: DeliveryStatus;
  created_at: string;
  /** Null while an attempt is being made, and once no other is to come. */
  next_attempt_at: string | null;
}

/** One attempt: what the receiver answered, or why there is no answer that counts. */
export interface AttemptResource {
  at: string;
  duration_ms: number;
  status_code: number | null;
  error: string | null;
  response: string | null;
}

/** A delivery as it is shown alone. */
export interface DeliveryDetails extends DeliveryResource {
  /** What the receiver gets; null where the event is not kept any more. */
  payload: unknown;
  attempts: AttemptResource[];
}
