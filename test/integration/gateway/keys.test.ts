import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type App, startApp } from "../../support/app.ts";
import { request } from "../../support/http.ts";

let app: App;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app.stop());

interface Created {
  readonly id: string;
  readonly key: string;
}

/** A further key of the first workspace's admin, made as an operator would. */
async function makeKey(): Promise<Created> {
  const [first] = await app.broker.call<{ user_id: string }[], object>("keys.list", {});
  return await app.broker.call<Created, object>("keys.create", { user_id: first?.user_id });
}

describe("keys in the whole program", () => {
  test("the first key reads and writes", async () => {
    const made = await request<{ id: string }>(app, "POST", "/v1/data", { body: { name: "A", type: "t" } });
    expect(made.status).toBe(201);
    const { location = "" } = made.headers;
    const found = await request(app, "GET", location);
    expect([found.status, found.body.data]).toEqual([200, made.body.data]);
  });

  test("a revoked key opens nothing from the moment at which its revocation was answered", async () => {
    const { id, key } = await makeKey();
    expect((await request(app, "GET", "/v1/data", { key })).status).toBe(200);
    await app.broker.call("keys.revoke", { id });
    const answer = await request(app, "GET", "/v1/data", { key });
    expect([answer.status, answer.body.error.code]).toEqual([401, "unauthorized"]);
    expect((await request(app, "GET", "/v1/data")).status).toBe(200);
  });

  test("nor does one whose requests were under way meanwhile", async () => {
    const { id, key } = await makeKey();
    const early = Array.from({ length: 20 }, () => request(app, "GET", "/v1/data", { key }));
    await app.broker.call("keys.revoke", { id });
    await Promise.all(early);
    expect((await request(app, "GET", "/v1/data", { key })).status).toBe(401);
  });

  test("no HTTP route leads to what operators do", async () => {
    for (const path of ["/v1/keys", "/v1/workspaces", "/keys/create", "/api/keys/list", "/~node/health"]) {
      expect((await request(app, "GET", path)).status).toBe(404);
    }
  });

  test("fields come back in the order and under the names in which they were sent", async () => {
    const fields = '{"b":"1","10":"2","__proto__":"3","2":"4","constructor":"5"}';
    const made = await request<{ id: string }>(app, "POST", "/v1/data", {
      body: `{"name":"A","type":"t","fields":${fields}}`,
      headers: { "Content-Type": "application/json" },
    });
    expect(made.text).toContain(`"fields":${fields}`);
    expect((await request(app, "GET", `/v1/data/${made.body.data.id}`)).text).toContain(`"fields":${fields}`);
  });

  test.each(['{"\\u0000a":"x"}', '{"\\u000010":"x"}', '{"a":"\\u0000x"}'])(
    "U+0000 is refused wherever it stands: %s",
    async (fields) => {
      const answer = await request(app, "POST", "/v1/data", {
        body: `{"name":"A","type":"t","fields":${fields}}`,
        headers: { "Content-Type": "application/json" },
      });
      expect([answer.status, answer.body.error?.code]).toEqual([400, "invalid_request"]);
    },
  );
});
