import type { Lane } from "../../lib/delivery-states.ts";
import type { EventName } from "../../lib/event-names.ts";
import type { Channel } from "./delivery.entity.ts";

/** A delivery that this dispatcher, and nobody else, may attempt until the claim ends. */
export interface Claim {
  readonly deliveryId: string;
  readonly claimId: string;
  readonly workspaceId: string;
  readonly eventId: string;
  readonly event: EventName;
  readonly channel: Channel;
  readonly targetId: string;
  readonly lane: Lane;
  /** Attempts that were made before. */
  readonly attemptCount: number;
}

/** What becomes of a delivery behind an attempt. */
export type NextStep =
  | { readonly kind: "succeeded" | "failed" }
  /** `inMs` from now, by the database's clock. */
  | { readonly kind: "retry"; readonly inMs: number };
