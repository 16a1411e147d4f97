import { Errors } from "moleculer";
import {
  type ErrorCode,
  type ErrorExtras,
  isErrorCode,
  ServiceError,
  unavailable,
} from "../../lib/errors.ts";
import { isMembers } from "../../lib/members.ts";

/** What the broker says when whoever should act is missing, silent or overrun. */
const unavailableTypes: ReadonlySet<string> = new Set([
  "SERVICE_NOT_FOUND",
  "SERVICE_NOT_AVAILABLE",
  "REQUEST_TIMEOUT",
  "REQUEST_SKIPPED",
  "REQUEST_REJECTED",
  "QUEUE_FULL",
  "BAD_GATEWAY",
]);

/**
 * What a client may know of an error. Errors that were meant for it pass as they are, also from other nodes;
 * the rest becomes `unavailable` or `internal`, with the error itself as the cause, for the log.
 */
export function toPublicError(error: unknown): ServiceError {
  if (error instanceof ServiceError) return error;
  const remote = fromOtherNode(error);
  if (remote) return remote;
  if (error instanceof Errors.MoleculerError && unavailableTypes.has(error.type)) return unavailable(error);
  return new ServiceError("internal", "Something went wrong on our side.", { cause: error });
}

/** An error's body, in the one shape that all errors have. */
export function renderError(error: ServiceError, requestId: string): string {
  return renderErrorBody(error.errorCode, error.message, requestId, error.details);
}

export function renderErrorBody(
  code: ErrorCode,
  message: string,
  requestId: string,
  details: ServiceError["details"] = [],
): string {
  return JSON.stringify({
    success: false,
    error: {
      code,
      message,
      details: details.length > 0 ? details : undefined,
      request_id: requestId,
    },
  });
}

/** The broker keeps a remote error's name, type and data, and loses its class. */
function fromOtherNode(error: unknown): ServiceError | undefined {
  if (!(error instanceof Error) || error.name !== "ServiceError" || !("type" in error)) return undefined;
  if (!isErrorCode(error.type)) return undefined;
  const data = "data" in error ? error.data : undefined;
  return new ServiceError(error.type, error.message, { ...extrasOf(data), cause: error });
}

function extrasOf(data: unknown): ErrorExtras {
  if (!isMembers(data)) return {};
  const { details, retryAfterSeconds, allow } = data;
  return {
    details: Array.isArray(details) ? details : undefined,
    retryAfterSeconds: typeof retryAfterSeconds === "number" ? retryAfterSeconds : undefined,
    allow: typeof allow === "string" ? allow : undefined,
  };
}
