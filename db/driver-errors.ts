import { unavailable } from "../lib/errors.ts";
import { UniqueViolation } from "./database.ts";

const uniqueCodes = new Set(["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "ER_DUP_ENTRY"]);

const unavailableCodes = new Set([
  "SQLITE_BUSY",
  "SQLITE_FULL",
  "SQLITE_CANTOPEN",
  "ECONNREFUSED",
  "EHOSTUNREACH",
  "ENETUNREACH",
  "ECONNRESET",
  "ENOTFOUND",
  "EAI_AGAIN",
  "EPIPE",
  "ETIMEDOUT",
  "PROTOCOL_CONNECTION_LOST",
  "PROTOCOL_SEQUENCE_TIMEOUT",
  "POOL_CLOSED",
  "ER_CON_COUNT_ERROR",
  "ER_SERVER_SHUTDOWN",
  "ER_LOCK_DEADLOCK",
  "ER_LOCK_WAIT_TIMEOUT",
]);

/** A statement that failed: what the driver says of it, without the parameters. */
export class StatementError extends Error {
  readonly statement: string;
  readonly code: string | undefined;
  readonly errno: number | undefined;
  /** Whether the connection is gone. */
  readonly fatal: boolean;

  constructor(statement: string, { message, code, errno, fatal }: DriverError) {
    // MariaDB quotes what was to be stored.
    super(message.replaceAll(/'(?:[^'\\]|\\.)*'/g, "'…'"));
    this.name = "StatementError";
    this.statement = statement;
    this.code = code;
    this.errno = errno;
    this.fatal = fatal === true;
  }
}

interface DriverError extends Error {
  readonly code?: string;
  readonly errno?: number;
  readonly fatal?: boolean;
}

/** The driver's own code of an error. */
export function driverCode(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return error.code === undefined ? "" : String(error.code);
}

export function isBusy(error: unknown): boolean {
  return driverCode(error).startsWith("SQLITE_BUSY");
}

/** Two transactions stood in each other's way and the database ended one: it may be tried again at once. */
export function isConflict(error: unknown): boolean {
  return driverCode(error) === "ER_LOCK_DEADLOCK";
}

/** MariaDB's ER_CONNECTION_KILLED, also said to all at a shutdown; the driver has no name for it. */
const CONNECTION_KILLED = 1927;

/** A connection that is gone: the driver gives no code for statements on one that was closed before. */
function isConnectionLost(error: unknown): boolean {
  if (typeof error !== "object" || error === null) return false;
  if ("errno" in error && error.errno === CONNECTION_KILLED) return true;
  return "fatal" in error && error.fatal === true && driverCode(error) === "";
}

/** The error as the rest of the program knows it; one that is not the driver's is given back as it is. */
export function translateDriverError(error: unknown): unknown {
  const code = driverCode(error);
  if (uniqueCodes.has(code)) return new UniqueViolation(error);
  if (isConnectionLost(error)) return unavailable(error);
  if (unavailableCodes.has(code) || code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_IOERR")) {
    return unavailable(error);
  }
  return error;
}

/** Runs work of the driver's, its errors translated. */
export async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translateDriverError(error);
  }
}
