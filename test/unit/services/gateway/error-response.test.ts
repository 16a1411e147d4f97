import { describe, expect, test } from "@jest/globals";
import { Errors } from "moleculer";
import { errorStatuses, notFound, ServiceError, unavailable } from "../../../../lib/errors.ts";
import { renderError, toPublicError } from "../../../../services/gateway/error-response.ts";

const SECRET = "/srv/secret/path SELECT node-7 records.create";

/** An error as the broker gives it when it comes from another node: all but its class. */
function fromOtherNode(error: ServiceError): Error {
  const { message, name, code, type, data } = error;
  return Object.assign(new Error(message), { name, code, type, data, nodeID: "node-7" });
}

describe("toPublicError", () => {
  test("what was meant for the client passes as it is", () => {
    const error = notFound("record");
    expect(toPublicError(error)).toBe(error);
  });

  test("also from another node, with all that the answer needs", () => {
    const details = [{ path: "name", message: "is required" }];
    const error = new ServiceError("invalid_request", "The request is not valid.", { details });
    expect(toPublicError(fromOtherNode(error))).toMatchObject({ errorCode: "invalid_request", details });
    const busy = toPublicError(fromOtherNode(unavailable(undefined)));
    expect(busy).toMatchObject({ errorCode: "unavailable", retryAfterSeconds: 1 });
  });

  test.each([
    [new Errors.ServiceNotFoundError({ action: SECRET })],
    [new Errors.ServiceNotAvailableError({ action: SECRET })],
    [new Errors.RequestTimeoutError({ action: SECRET, nodeID: SECRET })],
    [new Errors.RequestSkippedError({ action: SECRET, nodeID: SECRET })],
    [new Errors.RequestRejectedError({ action: SECRET, nodeID: SECRET })],
    [new Errors.QueueIsFullError({ action: SECRET, nodeID: SECRET, size: 1, limit: 1 })],
    [new Errors.MoleculerRetryableError(SECRET, 502, "BAD_GATEWAY", {})],
  ])("%s is unavailable, and may be tried again", (error) => {
    const shown = toPublicError(error);
    expect(shown).toMatchObject({ errorCode: "unavailable", retryAfterSeconds: 1, cause: error });
    expect(renderError(shown, "r1")).not.toContain("secret");
  });

  test.each<[string, unknown]>([
    ["a plain error", new Error(SECRET)],
    ["an error with a status of its own", Object.assign(new Error(SECRET), { code: 404, status: 404 })],
    ["an error with a type of ours, but not ours", Object.assign(new Error(SECRET), { type: "not_found" })],
    ["a type that is no code", Object.assign(new Error(SECRET), { name: "ServiceError", type: "toString" })],
    ["a type that is no text", Object.assign(new Error(SECRET), { name: "ServiceError", type: 7 })],
    ["an error of the broker", new Errors.MoleculerError(SECRET, 422, "VALIDATION_ERROR", { SECRET })],
    ["text", SECRET],
    ["nothing", undefined],
  ])("%s is internal, and shows nothing", (_, thrown) => {
    const shown = toPublicError(thrown);
    expect(shown.errorCode).toBe("internal");
    expect(shown.cause).toBe(thrown);
    expect(JSON.parse(renderError(shown, "r1"))).toEqual({
      success: false,
      error: { code: "internal", message: "Something went wrong on our side.", request_id: "r1" },
    });
  });

  test("data from another node that is not as expected is passed over", () => {
    const error = fromOtherNode(notFound("record"));
    Object.assign(error, { data: { details: "x", retryAfterSeconds: "x", allow: 1 } });
    expect(toPublicError(error)).toMatchObject({
      details: [],
      retryAfterSeconds: undefined,
      allow: undefined,
    });
  });
});

describe("renderError", () => {
  test("details are there where a member is at fault", () => {
    const details = [{ path: "records.3.name", message: "is required" }];
    const error = new ServiceError("unprocessable", "No.", { details });
    expect(JSON.parse(renderError(error, "r1"))).toEqual({
      success: false,
      error: { code: "unprocessable", message: "No.", details, request_id: "r1" },
    });
  });

  test("each code has a status of an error", () => {
    for (const status of Object.values(errorStatuses)) expect(status).toBeGreaterThanOrEqual(400);
  });
});
