import { expect } from "@jest/globals";
import { type HttpAnswer, request, type Target } from "./http.ts";
import { waitFor } from "./wait-for.ts";
import type { Workload } from "./workload.ts";

/** A database that does not answer must be told of within this time. */
export const UNAVAILABLE_WITHIN_MS = 10_000;
/** Within so long after it is back, everything must work again. */
const BACK_WITHIN_MS = 15_000;

export function probe(target: Target, path: "/livez" | "/readyz"): Promise<HttpAnswer> {
  return request(target, "GET", path, { key: null });
}

/** Waits until each writer of a running workload has been told 503 once more. */
export async function allWritersToldToWait({ lanes }: Workload): Promise<void> {
  const before = lanes.map(({ excused }) => excused);
  await waitFor(() => lanes.every(({ excused }, at) => excused > (before[at] ?? 0)), {
    what: "every writer to be told 503",
    // Their latencies say whether it was in time; the last one may have begun late.
    timeoutMs: 2 * UNAVAILABLE_WITHIN_MS,
  });
}

/** Waits until each writer of a running workload has been served once more. */
export async function allWritersServed({ lanes }: Workload): Promise<void> {
  const before = lanes.map(({ acknowledged }) => acknowledged);
  await waitFor(() => lanes.every(({ acknowledged }, at) => acknowledged > (before[at] ?? 0)), {
    what: "every writer to be served again",
    timeoutMs: BACK_WITHIN_MS,
  });
}

/** Waits until a path is answered with a status. */
export async function answered(target: Target, path: string, status: number): Promise<void> {
  await waitFor(async () => (await request(target, "GET", path)).status === status, {
    what: `${path} to be answered ${status}`,
    timeoutMs: BACK_WITHIN_MS,
  });
}

/** Ends a workload; all its answers must have come in time. */
export async function endInTime(
  workload: Workload,
  until: AbortController,
  load: Promise<void>,
): Promise<void> {
  until.abort();
  await load;
  expect(Math.max(...workload.latenciesMs)).toBeLessThan(UNAVAILABLE_WITHIN_MS);
}
