import type { AttemptNote } from "./scheduler.ts";

/** One line of the log about an attempt. */
export function attemptLine({ deliveryId, event, targetId, attempt, outcome }: AttemptNote): string {
  const { isSuccess, statusCode, error, durationMs } = outcome;
  const came = statusCode === null ? error : `status ${statusCode}`;
  const done = isSuccess ? "succeeded" : "failed";
  return `Attempt ${attempt} of ${deliveryId} (${event} to ${targetId}) ${done}: ${came}, ${durationMs} ms.`;
}
