import { type ServiceError, unavailable } from "../lib/errors.ts";
import { UniqueViolation } from "./database.ts";

const uniqueCodes = new Set(["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "ER_DUP_ENTRY"]);

/** Two transactions stood in each other's way and the database ended one: it may be tried again. */
const conflictCodes = new Set(["ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT"]);

const unavailableCodes = new Set([
  "SQLITE_BUSY",
  "SQLITE_FULL",
  "SQLITE_CANTOPEN",
  "ECONNREFUSED",
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

/** The driver's own code of an error, which TypeORM copies to its wrapper. */
export function driverCode(error: unknown): string {
  if (typeof error !== "object" || error === null || !("code" in error)) return "";
  return String(error.code);
}

export function isBusy(error: unknown): boolean {
  return driverCode(error).startsWith("SQLITE_BUSY");
}

export function isConflict(error: unknown): boolean {
  return conflictCodes.has(driverCode(error));
}

/** The error as the rest of the program knows it; one that is not the driver's is given back as it is. */
export function translateDriverError(error: unknown): UniqueViolation | ServiceError | unknown {
  const code = driverCode(error);
  if (uniqueCodes.has(code)) return new UniqueViolation(error);
  if (unavailableCodes.has(code) || code.startsWith("SQLITE_BUSY") || code.startsWith("SQLITE_IOERR")) {
    return unavailable(error);
  }
  return error;
}

/** The same statements, their errors translated. */
export async function translated<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    throw translateDriverError(error);
  }
}
