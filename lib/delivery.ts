import type { EventName } from "./event-names.ts";
import { isoTime } from "./iso-time.ts";
import { stringifyOrdered } from "./ordered-json.ts";
import { signatureOf } from "./signature.ts";
import { userAgent } from "./user-agent.ts";

/** The event whose delivery asks an address, before it is registered, whether it takes deliveries. */
export const VALIDATION_EVENT = "webhook.validation";

/** Whatever a receiver can be told. */
export type DeliveredEvent = EventName | typeof VALIDATION_EVENT;

export interface DeliveredContent {
  readonly event: DeliveredEvent;
  /** When it happened, in milliseconds since 1970. */
  readonly occurredAtMs: number;
  readonly workspaceId: string;
  /** The resource as receivers see it. */
  readonly data: Readonly<Record<string, unknown>>;
}

/** The body of a delivery as JSON text. It is made once, and what is signed and sent are its bytes in UTF-8. */
export function deliveryPayload({ event, occurredAtMs, workspaceId, data }: DeliveredContent): string {
  const timestamp = isoTime(occurredAtMs);
  return stringifyOrdered({ event, timestamp, workspace_id: workspaceId, data });
}

export interface DeliveryAttempt {
  readonly event: DeliveredEvent;
  /** The same over all attempts of a delivery. */
  readonly deliveryId: string;
  /** Counted from 1. */
  readonly attempt: number;
  /** The registration's secret in plain; undefined where it has none, and nothing is signed then. */
  readonly secret: string | undefined;
}

/** The headers of one attempt to deliver a body. */
export function deliveryHeaders(
  { event, deliveryId, attempt, secret }: DeliveryAttempt,
  body: Uint8Array,
): Record<string, string> {
  return {
    "Content-Type": "application/json",
    "User-Agent": userAgent,
    "X-Service-Event": event,
    "X-Service-Delivery": deliveryId,
    "X-Service-Attempt": String(attempt),
    ...(secret === undefined ? {} : { "X-Service-Signature": signatureOf(body, secret) }),
  };
}
