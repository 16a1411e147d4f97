import { expect, test } from "@jest/globals";
import { Errors } from "moleculer";
import { UsageError } from "../../../admin/command-line.ts";
import { describeError } from "../../../admin/describe-error.ts";
import { invalidMember, notFound, ServiceError, unavailable } from "../../../lib/errors.ts";

/** As it arrives from another node: a plain error with what the broker keeps. */
function remote(error: ServiceError): Error {
  const { name, type, data, message } = error;
  return Object.assign(new Error(message), { name, type, data, stack: "Error: …\n    at elsewhere" });
}

const twoFaults = new ServiceError("invalid_request", "The request is not valid: name is required.", {
  details: [
    { path: "name", message: "is required" },
    { path: "fields.x", message: "must be a string" },
  ],
});

test.each([
  [notFound("record"), "not_found: No record with this id."],
  [invalidMember("name", "is required"), "invalid_request: The request is not valid: name is required."],
  [twoFaults, "invalid_request: The request is not valid: name is required. [fields.x must be a string]"],
  [
    unavailable(new Error("connect ECONNREFUSED")),
    "unavailable: The service cannot answer right now. Please try again. (connect ECONNREFUSED)",
  ],
  [
    new Errors.ServiceNotFoundError({ action: "foo.bar" }),
    "There is no action foo.bar here; `actions` lists them.",
  ],
  [
    new Errors.ServiceNotFoundError({ action: "keys.list", nodeID: "host-1" }),
    "There is no action keys.list on node host-1; `actions` lists them.",
  ],
  [new Error("a defect\n    at somewhere\u001b[2J"), "internal: a defect?    at somewhere?[2J"],
  [new UsageError("The <action> is missing.\nUsage: call"), "The <action> is missing.\nUsage: call"],
  ["thrown text", "'thrown text'"],
])("%o is one line without a stack", (error, line) => {
  expect(describeError(error)).toBe(line);
});

test("an error from another node reads as one from here", () => {
  for (const error of [notFound("record"), twoFaults]) {
    expect(describeError(remote(error))).toBe(describeError(error));
  }
});
