import { createHmac } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { describeRequest, isSignedWith } from "../../../scripts/receiver.ts";

const SECRET = "hush";
const body = Buffer.from('{"event":"record.created"}');
const signature = `sha256=${createHmac("sha256", SECRET).update(body).digest("hex")}`;

describe("the receiver", () => {
  test.each([
    ["the right one", signature, true],
    ["that of another secret", `sha256=${createHmac("sha256", "other").update(body).digest("hex")}`, false],
    ["that of other bytes", `sha256=${createHmac("sha256", SECRET).update("{}").digest("hex")}`, false],
    ["one in capitals", signature.toUpperCase(), false],
    ["one cut short", signature.slice(0, -1), false],
    ["none", "", false],
  ])("judges a signature: %s", (_, given, isRight) => {
    expect(isSignedWith(SECRET, body, given)).toBe(isRight);
  });

  test.each([
    ["right", SECRET, { "x-service-signature": signature }, "  signature: right"],
    ["wrong", "other", { "x-service-signature": signature }, "  signature: WRONG"],
    ["missing", SECRET, {}, "  signature: missing"],
  ])("says that it is %s", (_, secret, headers, line) => {
    expect(describeRequest("/hook", headers, body, secret)).toContain(line);
  });

  test("prints the path, our headers and the body", () => {
    const headers = { "x-service-event": "record.created", "x-service-attempt": "1", cookie: "c" };
    expect(describeRequest("/hook", headers, body, undefined)).toEqual([
      "POST /hook",
      "  x-service-event: record.created",
      "  x-service-attempt: 1",
      '{"event":"record.created"}',
    ]);
  });
});
