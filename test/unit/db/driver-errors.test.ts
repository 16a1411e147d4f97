import { describe, expect, test } from "@jest/globals";
import { QueryFailedError } from "typeorm";
import { UniqueViolation } from "../../../db/database.ts";
import { isBusy, isConflict, translateDriverError, translated } from "../../../db/driver-errors.ts";
import { ServiceError } from "../../../lib/errors.ts";

const withCode = (code: string) => Object.assign(new Error(code), { code });

/** As TypeORM throws what the driver threw. */
const wrapped = (error: Error) => new QueryFailedError("SELECT 1", [], error);

describe("an error of the driver", () => {
  test.each(["SQLITE_CONSTRAINT_UNIQUE", "SQLITE_CONSTRAINT_PRIMARYKEY", "ER_DUP_ENTRY"])(
    "%s is a unique violation",
    (code) => {
      const error = wrapped(withCode(code));
      expect(translateDriverError(error)).toEqual(expect.any(UniqueViolation));
      expect(translateDriverError(error)).toMatchObject({ cause: error });
    },
  );

  test.each([
    ...[
      "SQLITE_BUSY",
      "SQLITE_BUSY_SNAPSHOT",
      "SQLITE_FULL",
      "SQLITE_IOERR",
      "SQLITE_IOERR_FSYNC",
      "SQLITE_CANTOPEN",
    ],
    ...[
      "ECONNREFUSED",
      "ECONNRESET",
      "EHOSTUNREACH",
      "ENETUNREACH",
      "ENOTFOUND",
      "EAI_AGAIN",
      "EPIPE",
      "ETIMEDOUT",
    ],
    ...["PROTOCOL_CONNECTION_LOST", "PROTOCOL_SEQUENCE_TIMEOUT", "POOL_CLOSED"],
    ...["ER_CON_COUNT_ERROR", "ER_SERVER_SHUTDOWN", "ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT"],
  ])("%s is a database that does not answer: 503, with the cause for the log", (code) => {
    const error = wrapped(withCode(code));
    expect(translateDriverError(error)).toBeInstanceOf(ServiceError);
    expect(translateDriverError(error)).toMatchObject({ code: 503, retryAfterSeconds: 1, cause: error });
  });

  test.each([
    ["of a connection that was closed before", { fatal: true }],
    ["of one that the server killed", { errno: 1927, code: undefined, sqlState: "70100" }],
  ])("%s, which has no code, is one too", (_, properties) => {
    const error = wrapped(Object.assign(new Error("gone"), properties));
    expect(translateDriverError(error)).toMatchObject({ code: 503, cause: error });
  });

  test.each([
    "SQLITE_ERROR",
    "SQLITE_CONSTRAINT_FOREIGNKEY",
    "SQLITE_READONLY",
    "ER_PARSE_ERROR",
    "ER_ACCESS_DENIED_ERROR",
  ])("%s is a defect, and stays as it is", (code) => {
    const error = wrapped(withCode(code));
    expect(translateDriverError(error)).toBe(error);
  });
});

describe("what is not the driver's", () => {
  test.each([
    ["an error", new Error("mine")],
    ["a service error, whose code is a number", new ServiceError("unavailable", "Why.")],
    ["a text", "thrown"],
    ["nothing", undefined],
    ["null", null],
  ])("stays as it is: %s", (_, error) => {
    expect(translateDriverError(error)).toBe(error);
  });
});

test("a translated piece of work gives its result, or fails with the translated error", async () => {
  await expect(translated(async () => "result")).resolves.toBe("result");
  await expect(translated(() => Promise.reject(withCode("ER_DUP_ENTRY")))).rejects.toThrow(UniqueViolation);
});

test("SQLite is busy where another holds a lock, in whatever manner", () => {
  expect(
    ["SQLITE_BUSY", "SQLITE_BUSY_RECOVERY", "SQLITE_FULL"].map((code) => isBusy(withCode(code))),
  ).toEqual([true, true, false]);
  expect(isBusy(new Error("SQLITE_BUSY"))).toBe(false);
});

test("a deadlock may be tried again at once, a wait that took its time may not", () => {
  expect(
    ["ER_LOCK_DEADLOCK", "ER_LOCK_WAIT_TIMEOUT"].map((code) => isConflict(wrapped(withCode(code)))),
  ).toEqual([true, false]);
});
