import { describe, expect, test } from "@jest/globals";
import { Errors } from "moleculer";
import {
  type ErrorCode,
  errorStatuses,
  invalidMember,
  notFound,
  ServiceError,
  unavailable,
} from "../../../lib/errors.ts";

const documented: [ErrorCode, number][] = [
  ["invalid_json", 400],
  ["invalid_request", 400],
  ["unauthorized", 401],
  ["forbidden", 403],
  ["not_found", 404],
  ["method_not_allowed", 405],
  ["conflict", 409],
  ["payload_too_large", 413],
  ["unsupported_media_type", 415],
  ["unprocessable", 422],
  ["rate_limited", 429],
  ["limit_reached", 429],
  ["internal", 500],
  ["unavailable", 503],
];

describe("the error codes", () => {
  test.each(documented)("%s has the status %i", (code, status) => {
    const error = new ServiceError(code, "Why.");
    expect([error.code, error.type, error.errorCode]).toEqual([status, code, code]);
  });

  test("are a closed list", () => {
    expect(Object.entries(errorStatuses)).toEqual(documented);
  });
});

describe("a service error", () => {
  test("is an error that Moleculer carries between nodes, with its data", () => {
    const details = [{ path: "name", message: "is required" }];
    const error = new ServiceError("conflict", "Why.", { details, retryAfterSeconds: 3, allow: "GET" });
    expect(error).toBeInstanceOf(Errors.MoleculerError);
    expect(error).toMatchObject({
      name: "ServiceError",
      message: "Why.",
      details,
      retryAfterSeconds: 3,
      allow: "GET",
    });
    expect(error.data).toEqual({ details, retryAfterSeconds: 3, allow: "GET" });
  });

  test("has no details unless it is given some", () => {
    const error = new ServiceError("internal", "Why.");
    expect([error.details, error.retryAfterSeconds, error.allow]).toEqual([[], undefined, undefined]);
    expect("cause" in error && error.cause).toBeFalsy();
  });

  test("keeps what went wrong beneath for the log, outside of what travels", () => {
    const cause = new Error("SELECT secret FROM nowhere");
    const error = unavailable(cause);
    expect(error.cause).toBe(cause);
    expect(JSON.stringify([error.message, error.data])).not.toContain("SELECT");
  });
});

test("an item that is not there is 404, and no detail says whose it may be", () => {
  expect(notFound("record")).toMatchObject({ code: 404, message: "No record with this id.", details: [] });
});

test("a member at fault is 400 and named in message and details", () => {
  expect(invalidMember("records.3.name", "is required")).toMatchObject({
    errorCode: "invalid_request",
    message: "The request is not valid: records.3.name is required.",
    details: [{ path: "records.3.name", message: "is required" }],
  });
});

test("a database that does not answer is 503 with a time to come back", () => {
  expect(unavailable(new Error("down"))).toMatchObject({ code: 503, retryAfterSeconds: 1 });
});
