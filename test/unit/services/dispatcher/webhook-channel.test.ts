import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { parseNetworks } from "../../../../lib/outbound/networks.ts";
import { OutboundClient } from "../../../../lib/outbound/outbound-client.ts";
import { OutboundError, type OutboundReason } from "../../../../lib/outbound/outbound-error.ts";
import { signatureOf } from "../../../../lib/signature.ts";
import { outcomeOfError, readRetryAfter } from "../../../../services/dispatcher/attempt-outcome.ts";
import { GONE, type OutgoingDelivery } from "../../../../services/dispatcher/channels/channel.ts";
import { type WebhookAddress, webhookChannel } from "../../../../services/dispatcher/channels/webhook.ts";
import { trustTestAuthority } from "../../../support/test-authority.ts";
import {
  closeAtOnce,
  huge,
  never,
  type Receiver,
  type ReceiverAnswer,
  raw,
  redirect,
  startReceiver,
  status,
} from "../../../support/tls-receiver.ts";
import { waitFor } from "../../../support/wait-for.ts";

const NOW_MS = Date.parse("2026-11-21T08:00:00.000Z");
const delivery: OutgoingDelivery = {
  id: "dlv_1",
  workspaceId: "ws_1",
  event: "record.created",
  payload: '{"event":"record.created","data":"é"}',
  targetId: "wh_1",
  attempt: 2,
};

let receiver: Receiver;
let client: OutboundClient;
let undoTrust: () => void;

beforeAll(async () => {
  undoTrust = await trustTestAuthority();
  receiver = await startReceiver();
  client = new OutboundClient({ allowedNetworks: parseNetworks("127.0.0.1, ::1") });
});

afterAll(async () => {
  client?.close();
  await receiver?.stop();
  undoTrust?.();
});

beforeEach(() => {
  receiver.requests.length = 0;
  receiver.answer = status(200);
});

interface Case {
  readonly webhook?: WebhookAddress | undefined;
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

function send(given: Case = {}) {
  const { webhook, timeoutMs = 15_000, signal = new AbortController().signal } = given;
  const usual = { url: receiver.url("/hook"), secret: null };
  const channel = webhookChannel({
    client,
    findWebhook: async () => ("webhook" in given ? webhook : usual),
    cipher: { open: (sealed, place) => `${sealed} opened at ${place}` },
    timeoutMs,
    nowMs: () => NOW_MS,
  });
  return channel.send(delivery, signal);
}

describe("the webhook channel", () => {
  test("posts the bytes of the event, signed with the registration's secret", async () => {
    const webhook = { url: receiver.url("/hook?a=b"), secret: "sealed" };
    expect(await send({ webhook })).toMatchObject({ isSuccess: true, statusCode: 200, error: null });
    const [{ body, headers, path } = { body: Buffer.of(), headers: {}, path: "" }] = receiver.requests;
    expect([path, body.toString()]).toEqual(["/hook?a=b", delivery.payload]);
    expect(headers).toMatchObject({
      "x-service-delivery": "dlv_1",
      "x-service-attempt": "2",
      "x-service-event": "record.created",
      "x-service-signature": signatureOf(Buffer.from(delivery.payload), "sealed opened at webhooks/wh_1"),
    });
  });

  test("signs nothing without a secret", async () => {
    await send();
    expect(receiver.requests[0]?.headers).not.toHaveProperty("x-service-signature");
  });

  test("sends nothing where the registration was removed", async () => {
    expect(await send({ webhook: undefined })).toBe(GONE);
    expect(receiver.requests).toEqual([]);
  });

  test.each<[string, ReceiverAnswer, object]>([
    ["204", status(204), { isSuccess: true, statusCode: 204, error: null, response: "" }],
    ["2xx without an end", huge(200_000), { isSuccess: true, statusCode: 200, response: "x".repeat(1_024) }],
    [
      "410",
      status(410, {}, "Gone"),
      { isSuccess: false, statusCode: 410, error: "status", response: "Gone" },
    ],
    [
      "a redirect",
      redirect("https://elsewhere.test/"),
      { isSuccess: false, statusCode: 307, error: "redirect" },
    ],
    ["429", status(429, { "retry-after": "7" }), { error: "status", retryAfterMs: 7_000 }],
    ["a character cut in two", status(500, {}, `${"x".repeat(1_023)}é`), { response: "x".repeat(1_023) }],
    ["no text", status(500, {}, Buffer.of(0, 255, 65)), { response: "\uFFFD\uFFFDA" }],
    [
      "no HTTP",
      raw("Hello\r\n\r\n"),
      { isSuccess: false, statusCode: null, error: "refused", response: null },
    ],
    ["nothing, and closes", closeAtOnce, { isSuccess: false, statusCode: null, error: "refused" }],
  ])("an answer with %s is noted", async (_, answer, outcome) => {
    receiver.answer = answer;
    expect(await send()).toMatchObject(outcome);
  });

  test("notes that none came in time, and that an address is forbidden", async () => {
    receiver.answer = never;
    expect(await send({ timeoutMs: 100 })).toMatchObject({ isSuccess: false, error: "timeout" });
    const webhook = { url: "https://10.0.0.1/", secret: null };
    expect(await send({ webhook })).toMatchObject({ isSuccess: false, error: "blocked" });
  });

  test("makes nothing of an attempt that was called off", async () => {
    receiver.answer = never;
    const controller = new AbortController();
    const sent = send({ signal: controller.signal });
    sent.catch(() => {});
    await waitFor(() => receiver.requests.length === 1, { what: "the request" });
    controller.abort();
    await expect(sent).rejects.toMatchObject({ reason: "aborted" });
  });
});

test.each<[OutboundReason, string | undefined]>([
  ["url", "blocked"],
  ["dns", "dns"],
  ["blocked", "blocked"],
  ["refused", "refused"],
  ["tls", "tls"],
  ["protocol", "refused"],
  ["timeout", "timeout"],
  ["aborted", undefined],
])("a request that failed with %s is noted as %s", (reason, error) => {
  expect(outcomeOfError(new OutboundError(reason, "why"), 5)?.error).toBe(error);
});

test.each<[string | undefined, number | undefined]>([
  [undefined, undefined],
  ["0", 0],
  ["120", 120_000],
  ["Sat, 21 Nov 2026 08:00:30 GMT", 30_000],
  ["Sat, 21 Nov 2026 07:00:00 GMT", 0],
  ["-5", undefined],
  ["1.5", undefined],
  ["2099-01-01", undefined],
  ["soon", undefined],
])("a Retry-After of %s asks for %s ms", (value, ms) => {
  expect(readRetryAfter(value, NOW_MS)).toBe(ms);
});
