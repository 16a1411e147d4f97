import { createHmac } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { userAgent } from "../../../lib/user-agent.ts";
import { databaseOf } from "../../../mixins/database.middleware.ts";
import type { WebhookResource } from "../../../services/webhooks/webhook.schema.ts";
import { type App, startApp } from "../../support/app.ts";
import { everythingIn } from "../../support/databases.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { request } from "../../support/http.ts";
import { trustTestAuthority } from "../../support/test-authority.ts";
import { type Receiver, startReceiver, status } from "../../support/tls-receiver.ts";

let app: App;
let receiver: Receiver;
let undoTrust: () => void;

beforeAll(async () => {
  undoTrust = await trustTestAuthority();
  receiver = await startReceiver();
  app = await startApp({ env: { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1, ::1", WEBHOOK_LIMIT: "3" } });
});

afterAll(async () => {
  await app?.stop();
  await receiver?.stop();
  undoTrust?.();
});

beforeEach(async () => {
  receiver.requests.length = 0;
  receiver.answer = status(200);
  for (const { id } of await list()) await request(app, "DELETE", `/v1/webhooks/${id}`);
});

const create = (members: object = {}) =>
  request<WebhookResource>(app, "POST", "/v1/webhooks", {
    body: { url: receiver.url("/hook?a=b"), events: ["record.created"], ...members },
  });

async function list(): Promise<WebhookResource[]> {
  return (await request<WebhookResource[]>(app, "GET", "/v1/webhooks")).body.data;
}

const countEvents = async () => (await databaseOf(app.broker).read.query("SELECT id FROM events")).length;

describe("a registration over HTTP", () => {
  test("is made once its address has answered, listed, and removed", async () => {
    const answer = await create({ events: ["user.invited", "*"] });
    expect([answer.status, answer.headers.location]).toEqual([201, undefined]);
    const { data } = answer.body;
    expect(answer.text).toBe(
      JSON.stringify({
        success: true,
        data: {
          id: data.id,
          url: receiver.url("/hook?a=b"),
          events: ["user.invited", "*"],
          status: "active",
          created_at: data.created_at,
        },
      }),
    );
    const listed = await request(app, "GET", "/v1/webhooks");
    expect([listed.status, listed.body]).toEqual([200, { success: true, data: [data], meta: { total: 1 } }]);
    const removed = await request(app, "DELETE", `/v1/webhooks/${data.id}`);
    expect([removed.status, removed.text]).toEqual([204, ""]);
    expect((await request(app, "DELETE", `/v1/webhooks/${data.id}`)).status).toBe(404);
    expect((await request(app, "GET", "/v1/webhooks")).body).toEqual({
      success: true,
      data: [],
      meta: { total: 0 },
    });
    expect(await countEvents()).toBe(0);
  });

  test.each([200, 201, 204, 299])("takes %i for a yes", async (code) => {
    receiver.answer = status(code);
    expect((await create()).status).toBe(201);
  });

  test("is refused with 429 and no Retry-After over the limit, and its address is not asked", async () => {
    for (let count = 0; count < 3; count += 1) expect((await create()).status).toBe(201);
    const asked = receiver.requests.length;
    const refused = await create();
    expect([refused.status, refused.body.error.code]).toEqual([429, "limit_reached"]);
    expect(refused.body.error.message).toContain("at most 3");
    expect(refused.headers["retry-after"]).toBeUndefined();
    expect(receiver.requests).toHaveLength(asked);
    expect(await list()).toHaveLength(3);
  });

  test("leaves its secret nowhere in the answer, the list, the log or the database", async () => {
    const secret = "not-to-be-seen-anywhere";
    const made = await create({ secret });
    const failing = await create({ secret, url: "https://10.0.0.1/" });
    const listed = await request(app, "GET", "/v1/webhooks");
    expect([made.status, failing.status]).toEqual([201, 422]);
    expect([made.text, failing.text, listed.text, app.log].join("\n")).not.toContain(secret);
    expect(await everythingIn(databaseOf(app.broker))).not.toContain(secret);
  });
});

describe("a registration that is not valid", () => {
  test.each([
    ["a host name that can be none", { url: "https://a..b/" }, "url"],
    ["a user in the URL", { url: "https://me@receiver.test/" }, "url"],
    ["plain http", { url: "http://receiver.test/" }, "url"],
    ["an unknown event", { events: ["record.created", "x"] }, "events.1"],
    ["an empty secret", { secret: "" }, "secret"],
    ["half of a surrogate pair", { secret: "\ud800" }, "secret"],
  ])("for %s is refused with 400, asks nobody and leaves nothing", async (_, members, path) => {
    const answer = await create(members);
    expectRefusal(answer, 400, "invalid_request");
    expect(answer.body.error.details).toEqual([expect.objectContaining({ path })]);
    expect(receiver.requests).toEqual([]);
    expect(await list()).toEqual([]);
  });
});

describe("a registration that is sent again", () => {
  const headers = { "Idempotency-Key": "a-key" };
  const body = { url: "", events: ["*"], secret: "not-to-be-seen" };

  test("with the same Idempotency-Key gets the first answer, and its address is asked once", async () => {
    const options = { headers, body: { ...body, url: receiver.url() } };
    const [first, second] = [
      await request(app, "POST", "/v1/webhooks", options),
      await request(app, "POST", "/v1/webhooks", options),
    ];
    expect([first.status, second.status, second.text]).toEqual([201, 201, first.text]);
    expect(receiver.requests).toHaveLength(1);
    expect(await list()).toHaveLength(1);
    expect(await everythingIn(databaseOf(app.broker))).not.toContain(body.secret);
  });

  test("after its address was refused is judged anew", async () => {
    const options = { headers: { "Idempotency-Key": "b-key" }, body: { ...body, url: receiver.url() } };
    receiver.answer = status(503);
    expect((await request(app, "POST", "/v1/webhooks", options)).status).toBe(422);
    receiver.answer = status(200);
    expect((await request(app, "POST", "/v1/webhooks", options)).status).toBe(201);
  });
});

describe("the validation of an address", () => {
  test("is one POST in the form of a delivery, with the registration as it will be", async () => {
    const { data } = (await create()).body;
    expect(receiver.requests).toHaveLength(1);
    const [received] = receiver.requests;
    expect(received).toMatchObject({ method: "POST", path: "/hook?a=b" });
    expect(received?.headers).toMatchObject({
      host: `localhost:${receiver.port}`,
      "content-type": "application/json",
      "content-length": String(received?.body.length),
      "user-agent": userAgent,
      "x-service-event": "webhook.validation",
      "x-service-delivery": expect.stringMatching(/^dlv_[0-9A-Z]{26}$/),
      "x-service-attempt": "1",
    });
    expect(received?.headers).not.toHaveProperty("x-service-signature");
    expect(received?.headers).not.toHaveProperty("authorization");
    expect(received?.body.toString()).toBe(
      JSON.stringify({
        event: "webhook.validation",
        timestamp: data.created_at,
        workspace_id: app.workspaceId,
        data,
      }),
    );
  });

  test.each(["s", "pässwörd \u{1f511}", " with spaces "])(
    "is signed with the secret %j, over its exact bytes",
    async (secret) => {
      expect((await create({ secret, url: receiver.url("/ünicode") })).status).toBe(201);
      const [received] = receiver.requests;
      const hmac = createHmac("sha256", secret).update(received?.body ?? "");
      expect(received?.headers["x-service-signature"]).toBe(`sha256=${hmac.digest("hex")}`);
    },
  );
});
