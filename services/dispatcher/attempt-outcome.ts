import type { TimedAnswer } from "../../lib/outbound/outbound-client.ts";
import type { OutboundError, OutboundReason } from "../../lib/outbound/outbound-error.ts";
import type { AttemptOutcome } from "./channels/channel.ts";
import type { AttemptError } from "./delivery-attempt.entity.ts";

const MAX_RESPONSE_BYTES = 1_024;

/** Where the record's list is shorter than the client's: what comes nearest for who set the address. */
const errors: Readonly<Record<Exclude<OutboundReason, "aborted">, AttemptError>> = {
  // An address that cannot be used: no request may go there.
  url: "blocked",
  dns: "dns",
  blocked: "blocked",
  refused: "refused",
  tls: "tls",
  // What answered does not speak HTTP.
  protocol: "refused",
  timeout: "timeout",
};

/**
 * What an answer makes of an attempt: 2xx is a success, however long its body.
 * @param nowMs the time in milliseconds since 1970, for receivers that name one
 */
export function outcomeOfAnswer(
  { statusCode, headers, body, durationMs }: TimedAnswer,
  nowMs: number,
): AttemptOutcome {
  const response = readableText(body.subarray(0, MAX_RESPONSE_BYTES));
  const answered = { statusCode, response, durationMs };
  if (statusCode >= 200 && statusCode < 300) return { ...answered, isSuccess: true, error: null };
  const isRedirect = statusCode >= 300 && statusCode < 400;
  return {
    ...answered,
    isSuccess: false,
    error: isRedirect ? "redirect" : "status",
    retryAfterMs: readRetryAfter(headers["retry-after"], nowMs),
  };
}

/** What it makes of an attempt that no answer came; undefined where the attempt was called off. */
export function outcomeOfError({ reason }: OutboundError, durationMs: number): AttemptOutcome | undefined {
  if (reason === "aborted") return undefined;
  return { isSuccess: false, statusCode: null, error: errors[reason], response: null, durationMs };
}

/** How long a `Retry-After` asks to wait, from seconds or a date; undefined where it says neither. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1_000;
  // A date is told by its letters: bare numbers would pass for years.
  const atMs = /^[A-Za-z]/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(atMs) ? undefined : Math.max(0, atMs - nowMs);
}

/** Bytes as text that both databases keep: what is no UTF-8, and U+0000, becomes U+FFFD. */
function readableText(bytes: Uint8Array): string {
  // A character that the bound cuts in two is left out.
  const text = new TextDecoder("utf-8", { ignoreBOM: true }).decode(bytes, { stream: true });
  return text.replaceAll("\u0000", "\uFFFD");
}
