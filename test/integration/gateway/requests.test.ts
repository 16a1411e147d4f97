import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { databaseOf } from "../../../mixins/database.middleware.ts";
import { type GatewayStub, startGatewayStub } from "../../support/gateway-stub.ts";
import { type RequestOptions, request } from "../../support/http.ts";

let stub: GatewayStub;
beforeAll(async () => {
  stub = await startGatewayStub();
});
afterAll(() => stub.app.stop());
beforeEach(() => {
  stub.calls.length = 0;
});

const send = (method: string, path: string, options?: RequestOptions) =>
  request(stub.app, method, path, options);
const paramsOfCalls = () => stub.calls.map(({ action, params }) => [action, params]);

describe("what reaches an action", () => {
  test.each<[string, string, object | undefined, string, object]>([
    ["GET", "/v1/data", undefined, "list", {}],
    ["GET", "/v1/data?", undefined, "list", {}],
    [
      "GET",
      "/v1/data?page=2&per_page=5&q=a+b&type=x%26y",
      undefined,
      "list",
      { page: 2, per_page: 5, q: "a b", type: "x&y" },
    ],
    ["GET", "/v1/data/rec_1", undefined, "get", { id: "rec_1" }],
    ["GET", "/v1/data/a%2Fb%20c", undefined, "get", { id: "a/b c" }],
    ["GET", "/v1/data/__proto__", undefined, "get", { id: "__proto__" }],
    ["POST", "/v1/data", { name: "A", type: "t" }, "create", { name: "A", type: "t" }],
    ["PATCH", "/v1/data/rec_1", { tags: [] }, "update", { tags: [], id: "rec_1" }],
    ["DELETE", "/v1/data/rec_1", undefined, "remove", { id: "rec_1" }],
    ["DELETE", "/v1/data/bulk%2Ddelete", undefined, "remove", { id: "bulk-delete" }],
    [
      "POST",
      "/v1/data/bulk-create",
      { records: [{ name: "A", type: "t" }] },
      "bulkCreate",
      { records: [{ name: "A", type: "t" }] },
    ],
    ["DELETE", "/v1/data/bulk-delete", { ids: ["a"] }, "bulkRemove", { ids: ["a"] }],
  ])("%s %s %j", async (method, path, body, action, params) => {
    const answer = await send(method, path, { body });
    expect(answer.status).toBeLessThan(300);
    expect(paramsOfCalls()).toEqual([[action, params]]);
  });

  test.each([
    ["an unknown parameter", "GET", "/v1/data?x=1", "x"],
    ["a repeated one", "GET", "/v1/data?page=1&page=2", "page"],
    ["a list of one", "GET", "/v1/data?q[]=1", "q[]"],
    ["malformed encoding", "GET", "/v1/data?q=%zz", "q"],
    ["the prototype", "GET", "/v1/data?__proto__=1", "__proto__"],
    ["a nested prototype", "GET", "/v1/data?__proto__[role]=admin", "__proto__[role]"],
    ["no number", "GET", "/v1/data?page=two", "page"],
    ["a number of another kind", "GET", "/v1/data?page=1.5", "page"],
    ["zero", "GET", "/v1/data?page=0", "page"],
    ["an empty number", "GET", "/v1/data?page=", "page"],
    ["a number below zero", "GET", "/v1/data?page=-1", "page"],
    ["a parameter of the path in the query", "GET", "/v1/data/rec_1?id=rec_2", "id"],
    ["a parameter where one item is deleted", "DELETE", "/v1/data/rec_1?force=1", "force"],
  ])("%s is refused by name", async (_, method, path, member) => {
    const answer = await send(method, path);
    expect(answer.status).toBe(400);
    expect(answer.body.error.code).toBe("invalid_request");
    expect(answer.body.error.details?.[0]?.path).toBe(member);
    expect(stub.calls).toEqual([]);
  });

  test.each<[string, string, string, object, string]>([
    ["a body's member that the path says", "PATCH", "/v1/data/rec_1", { id: "rec_2" }, "id"],
    ["a body's unknown member", "POST", "/v1/data", { name: "A", type: "t", id: "rec_2" }, "id"],
    ["a query beside a body", "POST", "/v1/data?name=B", { name: "A", type: "t" }, "name"],
    ["a query beside a bulk body", "DELETE", "/v1/data/bulk-delete?ids=a", { ids: ["a"] }, "ids"],
  ])("%s is refused by name", async (_, method, path, body, member) => {
    const answer = await send(method, path, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.error.details?.[0]?.path).toBe(member);
    expect(stub.calls).toEqual([]);
  });

  test("a prototype in the body is a member like any other, and pollutes nothing", async () => {
    const headers = { "Content-Type": "application/json" };
    const refused = await send("POST", "/v1/data", {
      headers,
      body: '{"name":"A","type":"t","__proto__":{"status":"archived","role":"admin"}}',
    });
    expect(refused.status).toBe(400);
    expect(refused.body.error.details?.[0]?.path).toBe("__proto__");
    const nested = await send("POST", "/v1/data", {
      headers,
      body: '{"name":"A","type":"t","fields":{"__proto__":"x","constructor":"y"}}',
    });
    expect(nested.status).toBe(201);
    expect(({} as Record<string, unknown>).role).toBeUndefined();
    expect(stub.calls).toHaveLength(1);
    const params = stub.calls[0]?.params;
    expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
  });
});

describe("answers", () => {
  test.each<[string, string, string, object | undefined, number, string]>([
    [
      "list",
      "GET",
      "/v1/data",
      undefined,
      200,
      '{"success":true,"data":[{"id":"rec_1","name":"A","type":"note"}],' +
        '"meta":{"page":1,"per_page":20,"total":1,"next_cursor":null}}',
    ],
    [
      "item",
      "GET",
      "/v1/data/rec_1",
      undefined,
      200,
      '{"success":true,"data":{"id":"rec_1","name":"A","type":"note"}}',
    ],
    [
      "created item",
      "POST",
      "/v1/data",
      { name: "A", type: "note" },
      201,
      '{"success":true,"data":{"id":"rec_1","name":"A","type":"note"}}',
    ],
    [
      "created items",
      "POST",
      "/v1/data/bulk-create",
      { records: [{ name: "A", type: "note" }] },
      201,
      '{"success":true,"data":[{"id":"rec_1","name":"A","type":"note"}],"meta":{"created":1}}',
    ],
    [
      "deleted items",
      "DELETE",
      "/v1/data/bulk-delete",
      { ids: ["rec_1"] },
      200,
      '{"success":true,"meta":{"deleted":1,"failed":0}}',
    ],
  ])("%s", async (_, method, path, body, status, text) => {
    const answer = await send(method, path, { body });
    expect(answer.status).toBe(status);
    expect(answer.text).toBe(text);
    expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
    expect(answer.headers["content-length"]).toBe(String(Buffer.byteLength(text)));
    expect(answer.headers["cache-control"]).toBe("no-store");
    expect(answer.headers["x-content-type-options"]).toBe("nosniff");
    expect(Object.keys(answer.headers)).not.toEqual(
      expect.arrayContaining(["server", "x-powered-by", "etag"]),
    );
  });

  test("a deleted item leaves nothing to say", async () => {
    const answer = await send("DELETE", "/v1/data/rec_1");
    expect(answer.status).toBe(204);
    expect(answer.text).toBe("");
    expect(answer.headers).not.toHaveProperty("content-type");
    expect(answer.headers).not.toHaveProperty("content-length");
    expect(answer.headers["x-request-id"]).toMatch(/\S/);
  });

  test("what was created says where it is; several do not", async () => {
    const one = await send("POST", "/v1/data", { body: { name: "A", type: "t" } });
    expect(one.headers.location).toBe("/v1/data/rec_1");
    const many = await send("POST", "/v1/data/bulk-create", {
      body: { records: [{ name: "A", type: "t" }] },
    });
    expect(many.headers).not.toHaveProperty("location");
  });

  test("HEAD is GET without its body", async () => {
    const get = await send("GET", "/v1/data");
    const head = await send("HEAD", "/v1/data");
    expect(head.status).toBe(200);
    expect(head.text).toBe("");
    expect(head.headers["content-length"]).toBe(get.headers["content-length"]);
    const refused = await send("HEAD", "/v1/data", { key: null });
    expect([refused.status, refused.text]).toEqual([401, ""]);
  });

  test.each(["If-None-Match", "If-Match", "If-Modified-Since", "Range"])(
    "%s changes nothing",
    async (name) => {
      const answer = await send("PATCH", "/v1/data/rec_1", { body: { name: "B" }, headers: { [name]: "*" } });
      expect(answer.status).toBe(200);
      expect(stub.calls).toHaveLength(1);
    },
  );
});

describe("request ids", () => {
  test("the client's goes all the way and comes back", async () => {
    const answer = await send("GET", "/v1/data", { headers: { "X-Request-Id": "client.id_1-A" } });
    expect(answer.headers["x-request-id"]).toBe("client.id_1-A");
    expect(stub.calls[0]?.requestId).toBe("client.id_1-A");
  });

  test.each(["", "a b", "x".repeat(129), "<script>", "{}"])("one like %j is replaced", async (given) => {
    const answer = await send("GET", "/v1/data", { headers: { "X-Request-Id": given } });
    expect(answer.headers["x-request-id"]).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    expect(stub.calls[0]?.requestId).toBe(answer.headers["x-request-id"]);
  });

  test.each([
    ["GET", "/livez", 200],
    ["GET", "/readyz", 200],
    ["GET", "/v1/nothing", 404],
    ["PUT", "/v1/data", 405],
  ])("%s %s has one", async (method, path, status) => {
    const answer = await send(method, path, { key: null, headers: { "X-Request-Id": "mine" } });
    expect([answer.status, answer.headers["x-request-id"]]).toEqual([status, "mine"]);
    const made = await send(method, path, { key: null });
    expect(made.headers["x-request-id"]).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  });
});

describe("probes", () => {
  test.each(["/livez", "/readyz"])("%s needs no key and asks for none", async (path) => {
    const lookUps = stub.lookUps.length;
    const answer = await send("GET", path, { key: null });
    expect([answer.status, answer.text]).toEqual([200, '{"status":"ok"}']);
    expect(answer.headers).not.toHaveProperty("ratelimit");
    expect((await send("GET", path, { key: "wrong" })).status).toBe(200);
    expect(stub.lookUps.length).toBe(lookUps);
  });

  test("without a database it is alive, and not ready", async () => {
    const other = await startGatewayStub();
    try {
      await databaseOf(other.app.broker).close();
      const ready = await request(other.app, "GET", "/readyz", { key: null });
      expect([ready.status, ready.body.error.code]).toEqual([503, "unavailable"]);
      expect(ready.headers["retry-after"]).toBe("1");
      expect((await request(other.app, "GET", "/livez", { key: null })).status).toBe(200);
    } finally {
      await other.app.stop();
    }
  });
});
