import type { EventName } from "../../../lib/event-names.ts";
import type { AttemptError } from "../delivery-attempt.entity.ts";

/** One attempt that is to be made now. */
export interface OutgoingDelivery {
  readonly id: string;
  readonly workspaceId: string;
  readonly event: EventName;
  /** The text whose UTF-8 bytes every receiver gets, as they were made when the event was written. */
  readonly payload: string;
  /** Id of the registration, the integration or, for mail, the user. */
  readonly targetId: string;
  /** Counted from 1. */
  readonly attempt: number;
}

/** What came of an attempt. */
export interface AttemptOutcome {
  readonly isSuccess: boolean;
  readonly statusCode: number | null;
  /** Null where it succeeded. */
  readonly error: AttemptError | null;
  /** The first 1 KiB of the answer as text; null where there was none. */
  readonly response: string | null;
  readonly durationMs: number;
  /** How long the receiver asks to be left alone. */
  readonly retryAfterMs?: number | undefined;
}

/** The target stands no more, or wants this event no more: nothing was sent, and nothing will be. */
export const GONE = "gone";

/** A way to send: one file each, alike. Reads its target right before it sends. */
export interface ChannelSender {
  /**
   * Makes one attempt. Rejects for defects and a database that does not answer, not for what receivers do.
   * @param signal aborts it: the target was removed, or the node's time is up
   */
  send(delivery: OutgoingDelivery, signal: AbortSignal): Promise<AttemptOutcome | typeof GONE>;
  /** Closes its connections. */
  close(): void | Promise<void>;
}
