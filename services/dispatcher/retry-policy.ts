import type { AttemptOutcome } from "./channels/channel.ts";
import type { NextStep } from "./claim.ts";

/** Attempts in all, until a delivery has failed for good. */
export const MAX_ATTEMPTS = 4;

/** Each wait is so many times the one before. */
const GROWTH = 5;
/** The largest part of a wait that is added by chance, so that what failed together does not return together. */
const MAX_JITTER = 0.1;
/** The longest that a receiver can ask to be left alone. */
const MAX_RETRY_AFTER_MS = 600_000;

export interface RetryPolicy {
  /** The wait behind the first failure, in milliseconds. */
  readonly baseMs: number;
  /** Gives numbers from 0 to below 1. */
  readonly random: () => number;
}

/**
 * What becomes of a delivery behind an attempt.
 * @param attempt its number, counted from 1; one made by hand behind the last fails for good as the last does
 */
export function nextStep(
  attempt: number,
  { isSuccess, retryAfterMs = 0 }: Pick<AttemptOutcome, "isSuccess" | "retryAfterMs">,
  { baseMs, random }: RetryPolicy,
): NextStep {
  if (isSuccess) return { kind: "succeeded" };
  if (attempt >= MAX_ATTEMPTS) return { kind: "failed" };
  const wait = Math.round(baseMs * GROWTH ** (attempt - 1) * (1 + MAX_JITTER * random()));
  const asked = Math.min(Math.ceil(retryAfterMs), MAX_RETRY_AFTER_MS);
  return { kind: "retry", inMs: asked > wait ? asked : wait };
}
