import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { UserResource } from "../../../services/users/user.schema.ts";
import { type App, startApp } from "../../support/app.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { request } from "../../support/http.ts";

let app: App;
let user: UserResource;
/** A key of that user, an admin. */
let key: string;
let made = 0;

beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

beforeEach(async () => {
  made += 1;
  const body = { email: `user${made}@example.com`, name: "A user", role: "admin" };
  user = (await request<UserResource>(app, "POST", "/v1/users", { body })).body.data;
  const created = await app.broker.call<{ key: string }, object>("keys.create", { user_id: user.id });
  key = created.key;
  // From here on the gateway remembers whose key it is.
  expect((await request(app, "GET", "/v1/users", { key })).status).toBe(200);
});

const path = () => `/v1/users/${user.id}`;

describe("a user's key", () => {
  test.each([
    { end: "was removed", method: "DELETE", body: undefined },
    { end: "was deactivated", method: "PATCH", body: { status: "inactive" } },
  ])("opens nothing at the very next request once the user $end", async ({ method, body }) => {
    expect((await request(app, method, path(), { body })).status).toBeLessThan(300);
    expectRefusal(await request(app, "GET", "/v1/data", { key }), 401, "unauthorized");
    expect((await request(app, "GET", "/v1/data")).status).toBe(200);
  });

  test("opens nothing either where its own requests were under way when the user was removed", async () => {
    const early = Array.from({ length: 20 }, () => request(app, "GET", "/v1/data", { key }));
    await request(app, "DELETE", path());
    await Promise.all(early);
    expectRefusal(await request(app, "GET", "/v1/data", { key }), 401, "unauthorized");
  });

  test("opens nothing once the user removed themselves with it", async () => {
    expect((await request(app, "DELETE", path(), { key })).status).toBe(204);
    expectRefusal(await request(app, "GET", path(), { key }), 401, "unauthorized");
  });

  test("opens again what it did when the user is active again", async () => {
    await request(app, "PATCH", path(), { body: { status: "inactive" } });
    expectRefusal(await request(app, "GET", "/v1/data", { key }), 401, "unauthorized");
    await request(app, "PATCH", path(), { body: { status: "active" } });
    expect((await request(app, "GET", "/v1/data", { key })).status).toBe(200);
  });

  test("opens what the user's new role does at the very next request", async () => {
    await request(app, "PATCH", path(), { body: { role: "viewer" } });
    const attempt = { key, body: { name: "A", type: "t" } };
    expectRefusal(await request(app, "POST", "/v1/data", attempt), 403, "forbidden");
    expect((await request(app, "GET", "/v1/data", { key })).status).toBe(200);
    await request(app, "PATCH", path(), { body: { role: "editor" } });
    expect((await request(app, "POST", "/v1/data", attempt)).status).toBe(201);
    const body = { name: "Mine" };
    expectRefusal(await request(app, "PATCH", path(), { key, body }), 403, "forbidden");
  });

  test("stays what it is where the change of its user is refused", async () => {
    const answer = await request(app, "PATCH", path(), { body: { role: "owner" } });
    expectRefusal(answer, 422, "unprocessable");
    expect((await request(app, "GET", "/v1/users", { key })).status).toBe(200);
  });
});

describe("users over HTTP", () => {
  test("are created, fetched, listed, changed and removed", async () => {
    const body = { email: "Grace@Example.com", name: "Grace", role: "editor" };
    const created = await request<UserResource>(app, "POST", "/v1/users", { body });
    expect(created.status).toBe(201);
    expect(created.body.data).toMatchObject({ ...body, status: "active" });
    const { id } = created.body.data;
    const fetched = await request(app, "GET", `/v1/users/${id}`);
    expect([fetched.status, fetched.text]).toEqual([200, created.text]);
    const listed = await request<UserResource[]>(app, "GET", "/v1/users?q=grace&role=editor&sort=email");
    expect(listed.body).toEqual({
      success: true,
      data: [created.body.data],
      meta: { page: 1, per_page: 20, total: 1, next_cursor: null },
    });
    const changed = await request<UserResource>(app, "PATCH", `/v1/users/${id}`, { body: { name: "G." } });
    expect([changed.status, changed.body.data.name]).toEqual([200, "G."]);
    const removed = await request(app, "DELETE", `/v1/users/${id}`);
    expect([removed.status, removed.text]).toEqual([204, ""]);
    expectRefusal(await request(app, "GET", `/v1/users/${id}`), 404, "not_found");
  });

  test("with an address that is taken are refused, and the answer names the member", async () => {
    const body = { email: user.email.toUpperCase(), name: "Twin", role: "viewer" };
    const answer = await request(app, "POST", "/v1/users", { body });
    expectRefusal(answer, 409, "conflict");
    expect(answer.body.error.details).toMatchObject([{ path: "email" }]);
  });
});
