import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { newId } from "../../../lib/ids.ts";
import { databaseOf } from "../../../mixins/database.middleware.ts";
import deliveriesService from "../../../services/deliveries/deliveries.service.ts";
import type { DeliveryDetails, DeliveryResource } from "../../../services/deliveries/delivery.schema.ts";
import gatewayService from "../../../services/gateway/gateway.service.ts";
import keysService from "../../../services/keys/keys.service.ts";
import usersService from "../../../services/users/users.service.ts";
import workspacesService from "../../../services/workspaces/workspaces.service.ts";
import { type App, startApp } from "../../support/app.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { request } from "../../support/http.ts";
import {
  type MadeDelivery,
  newRegistration,
  type Registration,
} from "../../unit/services/deliveries/support/test-deliveries.ts";

let app: App;
let registration: Registration;
/** Keys of the workspace's other roles. */
const keys = new Map<"viewer" | "editor", string>();

beforeAll(async () => {
  // No dispatcher: what is put into the queue stays there to be looked at.
  const services = [workspacesService, keysService, usersService, deliveriesService, gatewayService];
  app = await startApp({
    createServices: (broker) => {
      for (const service of services) broker.createService(service);
    },
  });
  for (const role of ["viewer", "editor"] as const) {
    const body = { email: `${role}@example.com`, name: role, role };
    const { id } = (await request<{ id: string }>(app, "POST", "/v1/users", { body })).body.data;
    keys.set(role, (await app.broker.call<{ key: string }, object>("keys.create", { user_id: id })).key);
  }
});

afterAll(() => app?.stop());

beforeEach(async () => {
  registration = await newRegistration(databaseOf(app.broker), app.workspaceId);
});

const base = ({ id } = registration) => `/v1/webhooks/${id}`;
const add = (delivery?: MadeDelivery) => registration.add(delivery);
const list = (query = "") => request<DeliveryResource[]>(app, "GET", `${base()}/deliveries${query}`);

describe("deliveries over HTTP", () => {
  test("are listed, filtered and walked by cursor", async () => {
    const made = [];
    for (let n = 0; n < 5; n += 1) made.push(await add({ status: n % 2 ? "failed" : "succeeded" }));
    const first = await list("?per_page=3");
    expect(first.status).toBe(200);
    expect(first.body).toEqual({
      success: true,
      data: made.slice(0, 3).map((id) => ({
        ...{ id, event: "record.created", status: expect.any(String) },
        ...{ created_at: "2026-11-21T03:48:11.966Z", next_attempt_at: null },
      })),
      meta: { page: 1, per_page: 3, total: 5, next_cursor: expect.any(String) },
    });
    const next = await list(`?per_page=3&cursor=${first.body.meta.next_cursor}`);
    expect(next.body.data.map(({ id }) => id)).toEqual(made.slice(3));
    expect(next.body.meta).toEqual({ page: 2, per_page: 3, total: 5, next_cursor: null });
    const failed = await list("?status=failed&event=record.created&order=desc");
    expect(failed.body.data.map(({ id }) => id)).toEqual([made[3], made[1]]);
    expect(failed.body.meta.total).toBe(2);
  });

  test("are fetched with payload and attempts, the payload's members in their order", async () => {
    const payload = '{"event":"record.created","data":{"fields":{"b":"","10":"","9":""}}}';
    const id = await add({ payload, attempts: [{ statusCode: 200, response: "ok", durationMs: 9 }] });
    const fetched = await request<DeliveryDetails>(app, "GET", `${base()}/deliveries/${id}`);
    expect(fetched.status).toBe(200);
    expect(fetched.text).toContain(`"payload":${payload}`);
    expect(fetched.body.data.attempts).toEqual([
      { at: expect.any(String), duration_ms: 9, status_code: 200, error: null, response: "ok" },
    ]);
  });

  test("are sent again without a body, and a repeat of the request does so once", async () => {
    const id = await add({ status: "failed" });
    const path = `${base()}/deliveries/${id}/resend`;
    const headers = { "Idempotency-Key": "again" };
    const first = await request<DeliveryResource>(app, "POST", path, { headers });
    expect([first.status, first.headers.location]).toEqual([202, undefined]);
    expect(first.body.data).toMatchObject({ id, status: "pending", next_attempt_at: expect.any(String) });
    const repeat = await request(app, "POST", path, { headers });
    expect([repeat.status, repeat.text]).toEqual([202, first.text]);
    expectRefusal(await request(app, "POST", path), 409, "conflict");
    expect(await registration.queue()).toHaveLength(1);
  });

  test("are recovered, and a repeat of the request gets the same answer", async () => {
    await add({ status: "failed" });
    await add({ status: "succeeded" });
    const recover = () =>
      request(app, "POST", `${base()}/recover`, {
        body: { since: "2026-11-21T03:48:00Z" },
        headers: { "Idempotency-Key": "recover" },
      });
    const first = await recover();
    expect([first.status, first.body]).toEqual([202, { success: true, meta: { recovered: 1 } }]);
    const repeat = await recover();
    expect([repeat.status, repeat.text]).toEqual([202, first.text]);
    expect(await registration.queue()).toHaveLength(1);
  });
});

describe("access to deliveries", () => {
  const body = { since: "2026-11-21T03:48:00Z" };

  test.each(["viewer", "editor"] as const)("a %s reads, and sends nothing again", async (role) => {
    const key = keys.get(role) ?? "";
    const id = await add({ status: "failed" });
    expect((await request(app, "GET", `${base()}/deliveries`, { key })).status).toBe(200);
    expect((await request(app, "GET", `${base()}/deliveries/${id}`, { key })).status).toBe(200);
    const resend = await request(app, "POST", `${base()}/deliveries/${id}/resend`, { key });
    expectRefusal(resend, 403, "forbidden");
    expectRefusal(await request(app, "POST", `${base()}/recover`, { key, body }), 403, "forbidden");
    expect(await registration.queue()).toEqual([]);
  });

  test("nothing of another workspace or registration is there", async () => {
    const foreign = await newRegistration(databaseOf(app.broker));
    const neighbour = await newRegistration(databaseOf(app.broker), app.workspaceId);
    const foreignId = await foreign.add({ status: "failed" });
    const id = await add({ status: "failed" });
    for (const [method, path] of [
      ["GET", `${base(foreign)}/deliveries`],
      ["GET", `${base(foreign)}/deliveries/${foreignId}`],
      ["POST", `${base(foreign)}/deliveries/${foreignId}/resend`],
      ["GET", `${base()}/deliveries/${foreignId}`],
      ["POST", `${base()}/deliveries/${foreignId}/resend`],
      ["GET", `${base(neighbour)}/deliveries/${id}`],
      ["POST", `${base(neighbour)}/deliveries/${id}/resend`],
      ["GET", `/v1/webhooks/${newId("webhook")}/deliveries`],
    ] as const) {
      expectRefusal(await request(app, method, path), 404, "not_found");
    }
    expectRefusal(await request(app, "POST", `${base(foreign)}/recover`, { body }), 404, "not_found");
    expect([...(await foreign.queue()), ...(await registration.queue())]).toEqual([]);
  });
});

describe("a request about deliveries is refused", () => {
  test.each([
    ["status=done", 422, "unprocessable", "status"],
    ["event=webhook.validation", 422, "unprocessable", "event"],
    ["event=*", 422, "unprocessable", "event"],
    ["order=down", 400, "invalid_request", "order"],
    ["page=0", 400, "invalid_request", "page"],
    ["page=1001&per_page=100", 400, "invalid_request", "page"],
    ["cursor=abc", 400, "invalid_request", "cursor"],
    ["sort=status", 400, "invalid_request", "sort"],
    ["q=a", 400, "invalid_request", "q"],
    ["id=wh_1", 400, "invalid_request", "id"],
    ["status=failed&status=failed", 400, "invalid_request", "status"],
  ])("for a list with %s: %d", async (query, status, code, path) => {
    const answer = await list(`?${query}`);
    expectRefusal(answer, status, code);
    expect(answer.body.error.details).toMatchObject([{ path }]);
  });

  test.each([
    [{}, "since"],
    [{ since: null }, "since"],
    [{ since: 1_795_219_200_000 }, "since"],
    [{ since: "2026-11-21" }, "since"],
    [{ since: "2026-11-21T03:48:00Z", until: "2026-11-22T03:48:00Z" }, "until"],
    [{ since: "2026-11-21T03:48:00Z", id: "wh_1" }, "id"],
  ])("for a recovery with %j: 400", async (body, path) => {
    const answer = await request(app, "POST", `${base()}/recover`, { body });
    expectRefusal(answer, 400, "invalid_request");
    expect(answer.body.error.details).toMatchObject([{ path }]);
  });

  test("for other methods: 405", async () => {
    for (const [method, path, allow] of [
      ["POST", `${base()}/deliveries`, "GET, HEAD"],
      ["DELETE", `${base()}/deliveries/dlv_1`, "GET, HEAD"],
      ["GET", `${base()}/deliveries/dlv_1/resend`, "POST"],
      ["GET", `${base()}/recover`, "POST"],
    ] as const) {
      const answer = await request(app, method, path);
      expectRefusal(answer, 405, "method_not_allowed");
      expect(answer.headers.allow).toBe(allow);
    }
  });
});
