import { describe, expect, test } from "@jest/globals";
import type { OutboundPost, TimedAnswer } from "../../../../lib/outbound/outbound-client.ts";
import { OutboundError, type OutboundReason } from "../../../../lib/outbound/outbound-error.ts";
import { signatureOf } from "../../../../lib/signature.ts";
import type { WebhookResource } from "../../../../services/webhooks/webhook.schema.ts";
import { webhookValidation } from "../../../../services/webhooks/webhook-validation.ts";

const webhook: WebhookResource = {
  id: "wh_1",
  url: "https://receiver.test/hook",
  events: ["*"],
  status: "active",
  created_at: "2026-03-04T05:06:07.089Z",
};

const yes: TimedAnswer = {
  statusCode: 200,
  headers: {},
  body: Buffer.alloc(0),
  isTruncated: false,
  durationMs: 1,
};

/** A client that notes what it is asked, and does as told. */
function clientThat(answer: () => TimedAnswer) {
  const posts: OutboundPost[] = [];
  const post = async (request: OutboundPost) => {
    posts.push(request);
    return answer();
  };
  return { posts, post };
}

const noLog = () => {};

const failing = (error: unknown) =>
  clientThat(() => {
    throw error;
  });

describe("the validation of an address", () => {
  test("posts once: the payload's bytes, with the headers of a first attempt that sign just these", async () => {
    const client = clientThat(() => yes);
    await webhookValidation(client, 3_000, noLog)("ws_1", webhook, "s3cret");
    const [{ url, body, headers, timeoutMs } = {}, ...others] = client.posts;
    expect([url, timeoutMs, others]).toEqual([webhook.url, 3_000, []]);
    expect(String(body)).toBe(
      JSON.stringify({
        event: "webhook.validation",
        timestamp: webhook.created_at,
        workspace_id: "ws_1",
        data: webhook,
      }),
    );
    expect(headers).toMatchObject({
      "X-Service-Event": "webhook.validation",
      "X-Service-Attempt": "1",
      "X-Service-Delivery": expect.stringMatching(/^dlv_/),
      "X-Service-Signature": signatureOf(Buffer.from(body ?? ""), "s3cret"),
    });
  });

  test("names a delivery of its own each time, and signs nothing without a secret", async () => {
    const client = clientThat(() => yes);
    const validate = webhookValidation(client, 3_000, noLog);
    await validate("ws_1", webhook, undefined);
    await validate("ws_1", webhook, undefined);
    const ids = client.posts.map(({ headers }) => headers["X-Service-Delivery"]);
    expect(new Set(ids).size).toBe(2);
    for (const { headers } of client.posts) expect(headers).not.toHaveProperty("X-Service-Signature");
  });

  test.each([
    [100, 100],
    [5_000, 5_000],
    [15_000, 5_000],
  ])("with deliveries of up to %i ms takes up to %i ms", async (timeoutMs, expectedMs) => {
    const client = clientThat(() => yes);
    await webhookValidation(client, timeoutMs, noLog)("ws_1", webhook, undefined);
    expect(client.posts[0]?.timeoutMs).toBe(expectedMs);
  });

  test.each([200, 204, 299])("takes the status %i for a yes", async (statusCode) => {
    const client = clientThat(() => ({ ...yes, statusCode }));
    await expect(webhookValidation(client, 100, noLog)("ws_1", webhook, undefined)).resolves.toBeUndefined();
  });

  test.each<[Partial<TimedAnswer>, string]>([
    [{ statusCode: 300 }, "it answered with a redirect (status 300), which is not followed"],
    [{ statusCode: 308 }, "it answered with a redirect (status 308), which is not followed"],
    [{ statusCode: 199 }, "it answered with status 199 instead of 2xx"],
    [{ statusCode: 400 }, "it answered with status 400 instead of 2xx"],
    [{ statusCode: 500, isTruncated: true }, "it answered with status 500 instead of 2xx"],
    [{ isTruncated: true }, "its answer has more than 64 KiB"],
  ])("refuses the answer %j with 422", async (answer, why) => {
    const client = clientThat(() => ({ ...yes, ...answer }));
    const message = `cannot be used: ${why}`;
    await expect(webhookValidation(client, 100, noLog)("ws_1", webhook, undefined)).rejects.toMatchObject({
      errorCode: "unprocessable",
      message: `The request is not valid: url ${message}.`,
      details: [{ path: "url", message }],
    });
  });

  test.each<[OutboundReason, string]>([
    ["dns", "unprocessable"],
    ["blocked", "unprocessable"],
    ["refused", "unprocessable"],
    ["tls", "unprocessable"],
    ["protocol", "unprocessable"],
    ["timeout", "unprocessable"],
    ["url", "invalid_request"],
  ])("says what went wrong with an address by %s: %s", async (reason, errorCode) => {
    const client = failing(new OutboundError(reason, "it is so", new Error("for the log alone")));
    const error = await webhookValidation(client, 100, noLog)("ws_1", webhook, "s").catch((thrown) => thrown);
    expect(error).toMatchObject({
      errorCode,
      details: [{ path: "url", message: "cannot be used: it is so" }],
    });
    expect(JSON.stringify([error.message, error.data])).not.toContain("for the log");
  });

  test("tells the log why, by the registration's id and without its URL", async () => {
    const cause = new Error("connect EHOSTUNREACH");
    const lines: unknown[][] = [];
    const client = failing(new OutboundError("refused", "it cannot be reached", cause));
    const asked = webhookValidation(client, 100, (...line) => lines.push(line))("ws_1", webhook, "s3cret");
    await expect(asked).rejects.toMatchObject({ errorCode: "unprocessable" });
    expect(lines).toEqual([["wh_1 was not registered, refused: it cannot be reached.", cause]]);
  });

  test("that this node's stop cuts off is not the address's fault: 503", async () => {
    const client = failing(new OutboundError("aborted", "the request was cancelled"));
    const asked = webhookValidation(client, 100, noLog)("ws_1", webhook, undefined);
    await expect(asked).rejects.toMatchObject({ errorCode: "unavailable", retryAfterSeconds: 1 });
  });

  test("gives a defect as it is", async () => {
    const defect = new TypeError("A defect.");
    const asked = webhookValidation(failing(defect), 100, noLog)("ws_1", webhook, undefined);
    await expect(asked).rejects.toBe(defect);
  });
});
