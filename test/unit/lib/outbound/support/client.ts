import { networkInterfaces } from "node:os";
import type { StartTimer } from "../../../../../lib/outbound/deadline.ts";
import { parseNetworks } from "../../../../../lib/outbound/networks.ts";
import {
  OutboundClient,
  type OutboundClientOptions,
  type OutboundPost,
} from "../../../../../lib/outbound/outbound-client.ts";
import { OutboundError } from "../../../../../lib/outbound/outbound-error.ts";

/** Longer than any test: for those that are about something else. */
export const PATIENT_MS = 20_000;

export interface TestClient extends Omit<OutboundClientOptions, "allowedNetworks"> {
  /** 127.0.0.0/8 and ::1 unless told. */
  readonly allowed?: string;
}

/** A client that may reach this host. Close it when done. */
export function newClient({ allowed = "127.0.0.0/8, ::1", ...options }: TestClient = {}): OutboundClient {
  return new OutboundClient({ allowedNetworks: parseNetworks(allowed), ...options });
}

export function postTo(url: string, rest: Partial<OutboundPost> = {}): OutboundPost {
  return { url, headers: {}, body: "{}", timeoutMs: PATIENT_MS, ...rest };
}

/** Waits for a post to fail, and gives its error. */
export async function failureOf(posting: Promise<unknown>): Promise<OutboundError> {
  const outcome = await posting.then(
    () => "an answer",
    (error: unknown) => error,
  );
  if (outcome instanceof OutboundError) return outcome;
  throw new Error("Expected an OutboundError.", { cause: outcome });
}

/** Timers that end when the test says so, whatever time it is. */
export function timersByHand(): { start: StartTimer; endAll: () => void; runningCount: () => number } {
  const running = new Set<() => void>();
  return {
    start: (_ms, onEnd) => {
      running.add(onEnd);
      return () => running.delete(onEnd);
    },
    endAll: () => {
      for (const onEnd of [...running]) onEnd();
    },
    runningCount: () => running.size,
  };
}

/** Whether this host has IPv6, if only to itself. */
export const hasIpv6 = Object.values(networkInterfaces()).some((each) =>
  each?.some(({ address }) => address === "::1"),
);
