import { setTimeout as sleep } from "node:timers/promises";

export interface WaitForOptions {
  /** Milliseconds after which the wait fails; 5000 unless told. */
  timeoutMs?: number;
  /** What is awaited, as it reads after "Waited for": "the delivery to be recorded". */
  what: string;
}

type Falsy = false | null | undefined | 0 | "";

const FIRST_PAUSE_MS = 2;
const LONGEST_PAUSE_MS = 50;

/**
 * Asks `condition` until its answer is truthy, and returns that answer. A condition that throws or rejects is
 * asked again, since what it looks at may not be there yet. A condition that never settles counts as one that
 * does not hold.
 *
 * @throws Error that says what was awaited, for how long, and the last error of the condition (its cause), if
 * there was one.
 */
export async function waitFor<T>(
  condition: () => T | Promise<T>,
  { timeoutMs = 5000, what }: WaitForOptions,
): Promise<Exclude<T, Falsy>> {
  const deadlineMs = performance.now() + timeoutMs;
  let lastError: unknown;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      const answer = await settledBy(deadlineMs, condition);
      if (isTruthy(answer)) return answer;
      lastError = undefined;
    } catch (error) {
      lastError = error;
    }
    if (performance.now() >= deadlineMs) throw timedOut(what, timeoutMs, lastError);
    await sleep(pauseMs);
  }
}

function isTruthy<T>(answer: T | undefined): answer is Exclude<T, Falsy> {
  return Boolean(answer);
}

/** The condition's answer, or undefined if it has not come by the deadline (as performance.now() counts). */
async function settledBy<T>(deadlineMs: number, condition: () => T | Promise<T>): Promise<T | undefined> {
  const waiting = new AbortController();
  const timeout = sleep(Math.max(0, deadlineMs - performance.now()), undefined, { signal: waiting.signal });
  timeout.catch(() => {});
  try {
    return await Promise.race([condition(), timeout]);
  } finally {
    waiting.abort();
  }
}

function timedOut(what: string, timeoutMs: number, lastError: unknown): Error {
  const waited = `Waited ${timeoutMs} ms for ${what}, in vain`;
  if (lastError === undefined) return new Error(`${waited}.`);
  const said = lastError instanceof Error ? lastError.message : String(lastError);
  return new Error(`${waited}; the last error was: ${said}`, { cause: lastError });
}
