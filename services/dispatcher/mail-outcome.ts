import type { AttemptOutcome } from "./channels/channel.ts";
import type { AttemptError } from "./delivery-attempt.entity.ts";

/** What Nodemailer calls its failures, of which only those that a server or the network brings are here. */
const errors: Readonly<Record<string, AttemptError>> = {
  ECONNECTION: "refused",
  ESOCKET: "refused",
  EPROTOCOL: "refused",
  ETIMEDOUT: "timeout",
  EDNS: "dns",
  ETLS: "tls",
  EREQUIRETLS: "tls",
  EAUTH: "status",
  ENOAUTH: "status",
  EENVELOPE: "status",
  EMESSAGE: "status",
};

const MAX_RESPONSE_CHARACTERS = 1024;

/** Nodemailer's errors have these besides, where there is something to say. */
interface MailFault {
  readonly code: string;
  readonly originalCode?: unknown;
  readonly responseCode?: unknown;
  readonly response?: unknown;
}

/**
 * What a mail server's refusal, or its silence, means to a delivery; undefined for a fault of the program.
 * The answer of a refused login is left out: servers may repeat there what they were given.
 */
export function mailFailure(error: unknown, durationMs: number): AttemptOutcome | undefined {
  if (!isMailFault(error)) return undefined;
  const kind = errorOf(error);
  if (kind === undefined) return undefined;
  const { code, responseCode, response } = error;
  return {
    isSuccess: false,
    statusCode: typeof responseCode === "number" ? responseCode : null,
    error: kind,
    response: typeof response === "string" && code !== "EAUTH" ? mailResponse(response) : null,
    durationMs,
  };
}

/** What is kept of a server's last word. */
export function mailResponse(text: string): string {
  return text.slice(0, MAX_RESPONSE_CHARACTERS).toWellFormed().replaceAll("\u0000", "\uFFFD");
}

function errorOf({ code, originalCode }: MailFault): AttemptError | undefined {
  // A socket's errors are those of TLS, too.
  const isTls =
    typeof originalCode === "string" && /^(?:ERR_(?:SSL|TLS)|CERT_|DEPTH_|SELF_|UNABLE_)/.test(originalCode);
  return code === "ESOCKET" && isTls ? "tls" : errors[code];
}

function isMailFault(error: unknown): error is MailFault {
  return typeof error === "object" && error !== null && "code" in error && typeof error.code === "string";
}
