import { Errors } from "moleculer";

/**
 * Every error code that a client can see, with its HTTP status. The list is closed: whatever is thrown
 * and is not one of these reaches the client as `internal`.
 */
export const errorStatuses = {
  invalid_json: 400,
  invalid_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  conflict: 409,
  payload_too_large: 413,
  unsupported_media_type: 415,
  unprocessable: 422,
  rate_limited: 429,
  limit_reached: 429,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof errorStatuses;

/** One member or parameter at fault; `path` as in `records.3.name`, empty for the whole body. */
export interface ErrorDetail {
  path: string;
  message: string;
}

export interface ErrorExtras {
  details?: ErrorDetail[];
  /** Whole seconds after which a repeat makes sense: the answer's `Retry-After`. */
  retryAfterSeconds?: number;
  /** The methods that a path knows: the answer's `Allow`. */
  allow?: string;
  /** What went wrong beneath: for the log, never for the client. */
  cause?: unknown;
}

/** An error whose message is meant for the client. Anything that is not one of these is kept from it. */
export class ServiceError extends Errors.MoleculerError {
  readonly details: ErrorDetail[];
  readonly retryAfterSeconds: number | undefined;
  readonly allow: string | undefined;

  constructor(code: ErrorCode, message: string, extras: ErrorExtras = {}) {
    const { cause, ...data } = extras;
    super(message, errorStatuses[code], code, data);
    this.name = "ServiceError";
    this.details = extras.details ?? [];
    this.retryAfterSeconds = extras.retryAfterSeconds;
    this.allow = extras.allow;
    if (cause !== undefined) this.cause = cause;
  }

  get errorCode(): ErrorCode {
    return isErrorCode(this.type) ? this.type : "internal";
  }
}

/** Whether this is a code that clients know: one that another node sent is not known to be. */
export function isErrorCode(code: unknown): code is ErrorCode {
  return typeof code === "string" && Object.hasOwn(errorStatuses, code);
}

/** 404 for an item that does not exist, or that belongs to another workspace: both look alike. */
export function notFound(kind: string): ServiceError {
  return new ServiceError("not_found", `No ${kind} with this id.`);
}

/** 400 with the one member or parameter at fault. */
export function invalidMember(path: string, message: string): ServiceError {
  return new ServiceError("invalid_request", `The request is not valid: ${path} ${message}.`, {
    details: [{ path, message }],
  });
}

/** 503 for a database or broker that does not answer; the client may repeat. */
export function unavailable(cause: unknown): ServiceError {
  return new ServiceError("unavailable", "The service cannot answer right now. Please try again.", {
    retryAfterSeconds: 1,
    cause,
  });
}
