import { createHmac } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import { deliveryHeaders, deliveryPayload, VALIDATION_EVENT } from "../../../lib/delivery.ts";
import { parseOrdered } from "../../../lib/ordered-json.ts";
import { userAgent } from "../../../lib/user-agent.ts";

const occurredAtMs = Date.parse("2026-03-04T05:06:07.089Z");

describe("a delivery's payload", () => {
  test("has event, timestamp, workspace and data in this order, the data as it was given", () => {
    const data = parseOrdered<Record<string, unknown>>(
      '{"id":"rec_1","fields":{"z":"\u{1f600}","10":"a\\"b"}}',
    );
    expect(deliveryPayload({ event: "record.created", occurredAtMs, workspaceId: "ws_1", data })).toBe(
      '{"event":"record.created","timestamp":"2026-03-04T05:06:07.089Z","workspace_id":"ws_1",' +
        '"data":{"id":"rec_1","fields":{"z":"\u{1f600}","10":"a\\"b"}}}',
    );
  });
});

describe("a delivery's headers", () => {
  const body = Buffer.from('{"name":"Zürich"}');
  const attempt = { event: "user.invited", deliveryId: "dlv_1", attempt: 3, secret: undefined } as const;

  test("name the event, the delivery, the attempt and the program, and sign nothing without a secret", () => {
    expect(deliveryHeaders(attempt, body)).toEqual({
      "Content-Type": "application/json",
      "User-Agent": userAgent,
      "X-Service-Event": "user.invited",
      "X-Service-Delivery": "dlv_1",
      "X-Service-Attempt": "3",
    });
  });

  test("carry the signature of the exact bytes where there is a secret", () => {
    const { "X-Service-Signature": signature, ...others } = deliveryHeaders(
      { ...attempt, event: VALIDATION_EVENT, secret: "s3cret" },
      body,
    );
    expect(signature).toBe(`sha256=${createHmac("sha256", "s3cret").update(body).digest("hex")}`);
    expect(others).toEqual({ ...deliveryHeaders(attempt, body), "X-Service-Event": "webhook.validation" });
  });
});
