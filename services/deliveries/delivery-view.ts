import type { DeliveryStatus } from "../../lib/delivery-states.ts";
import type { EventName } from "../../lib/event-names.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { parseOrdered } from "../../lib/ordered-json.ts";
import type { AttemptResource, DeliveryDetails, DeliveryResource } from "./delivery.schema.ts";

/** What the interface shows of a delivery, and of its place in the queue where it has one. Times in milliseconds. */
export interface ShownDelivery {
  readonly id: string;
  readonly event: EventName;
  readonly status: DeliveryStatus;
  readonly created_at: number;
  readonly due_at: number | null;
  readonly claim_id: string | null;
}

export interface ShownAttempt {
  readonly at: number;
  readonly duration_ms: number;
  readonly status_code: number | null;
  readonly error: string | null;
  readonly response: string | null;
}

/** A delivery as lists show it. */
export function toResource(row: ShownDelivery): DeliveryResource {
  const { id, event, status, created_at, due_at, claim_id } = row;
  // A claimed row's due time is the end of its claim, which is nobody's plan for an attempt.
  const isWaiting = status === "pending" && due_at !== null && claim_id === null;
  return {
    id,
    event,
    status,
    created_at: isoTime(created_at),
    next_attempt_at: isWaiting ? isoTime(due_at) : null,
  };
}

/**
 * A delivery as it is shown alone.
 * @param payload the text that receivers get; null where it is not kept any more
 */
export function toDetails(
  row: ShownDelivery,
  payload: string | null,
  attempts: readonly ShownAttempt[],
): DeliveryDetails {
  return {
    ...toResource(row),
    payload: payload === null ? null : parseOrdered(payload),
    attempts: attempts.map(toAttempt),
  };
}

function toAttempt({ at, duration_ms, status_code, error, response }: ShownAttempt): AttemptResource {
  return { at: isoTime(at), duration_ms, status_code, error, response };
}
