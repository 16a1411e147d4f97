import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { Errors } from "moleculer";
import { newApiKey } from "../../../lib/api-key.ts";
import { notFound, ServiceError, unavailable } from "../../../lib/errors.ts";
import { LOOK_UP_TIMEOUT_MS } from "../../../services/gateway/backend.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { type GatewayStub, startGatewayStub } from "../../support/gateway-stub.ts";
import { request } from "../../support/http.ts";

describe("what an action throws", () => {
  const SECRET = "SELECT secret FROM /srv/internal/node-7";
  let stub: GatewayStub;
  beforeAll(async () => {
    stub = await startGatewayStub();
  });
  afterAll(() => stub.app.stop());

  test.each<[string, () => unknown, number, string]>([
    ["an item that is not there", () => notFound("record"), 404, "not_found"],
    ["a conflict", () => new ServiceError("conflict", "There is one."), 409, "conflict"],
    ["a database that does not answer", () => unavailable(new Error(SECRET)), 503, "unavailable"],
    ["a defect", () => new Error(SECRET), 500, "internal"],
    [
      "a defect with a status of its own",
      () => Object.assign(new Error(SECRET), { code: 404 }),
      500,
      "internal",
    ],
    ["text", () => SECRET, 500, "internal"],
    [
      "a silent node",
      () => new Errors.RequestTimeoutError({ action: SECRET, nodeID: SECRET }),
      503,
      "unavailable",
    ],
    ["a missing service", () => new Errors.ServiceNotFoundError({ action: SECRET }), 503, "unavailable"],
  ])("%s", async (_, thrown, status, code) => {
    stub.respond = () => Promise.reject(thrown());
    const before = stub.app.log.length;
    const answer = await request(stub.app, "GET", "/v1/data/rec_1", { headers: { "X-Request-Id": "try-1" } });
    expectRefusal(answer, status, code);
    expect(answer.text).not.toMatch(/secret|node|records\.|stack|\.ts/i);
    expect(answer.headers["retry-after"]).toBe(status === 503 ? "1" : undefined);
    const logged = stub.app.log.slice(before).join("\n");
    if (status >= 500) expect(logged).toContain("request try-1");
    else expect(logged).toBe("");
  });

  test("the log has what the client may not see", async () => {
    stub.respond = () => Promise.reject(new Error(SECRET));
    await request(stub.app, "GET", "/v1/data/rec_1", { headers: { "X-Request-Id": "look-for-me" } });
    const line = stub.app.log.find((entry) => entry.includes("look-for-me"));
    expect(line).toContain(
      "ERROR gateway: GET /v1/data/rec_1 500, request look-for-me: Error: SELECT secret",
    );
  });

  test("keys that cannot be looked up are no wrong keys", async () => {
    stub.authenticate = () => Promise.reject(unavailable(new Error(SECRET)));
    const answer = await request(stub.app, "GET", "/v1/data", { key: newApiKey() });
    expectRefusal(answer, 503, "unavailable");
    expect(answer.headers["retry-after"]).toBe("1");
  });

  test("a result that is none is a defect, not half an answer", async () => {
    stub.respond = async () => undefined;
    expectRefusal(await request(stub.app, "GET", "/v1/data"), 500, "internal");
  });
});

describe("who does not answer", () => {
  test("is given up, and the client told to come again, before ten seconds are over", async () => {
    const stub = await startGatewayStub();
    const { options } = stub.app.broker;
    expect((options.requestTimeout ?? 0) + LOOK_UP_TIMEOUT_MS).toBeLessThan(10_000);
    options.requestTimeout = 20;
    try {
      stub.respond = () => new Promise(() => {});
      const answer = await request(stub.app, "GET", "/v1/data");
      expectRefusal(answer, 503, "unavailable");
      expect(answer.headers["retry-after"]).toBe("1");
    } finally {
      await stub.app.stop();
    }
  });
});

describe("the log", () => {
  test("has one line for each request where it is asked for, and no key in any", async () => {
    const stub = await startGatewayStub({ env: { LOG_LEVEL: "debug" } });
    try {
      await request(stub.app, "GET", "/v1/data?page=1", { headers: { "X-Request-Id": "one" } });
      await request(stub.app, "POST", "/v1/data", {
        key: "some-wrong-key-here",
        headers: { "X-Request-Id": "two" },
      });
      const lines = stub.app.log.filter((line) => / DEBUG gateway: (?:GET|POST) /.test(line));
      expect(lines.map((line) => line.replace(/^\S+ | \d+\.\d ms/g, ""))).toEqual([
        "DEBUG gateway: GET /v1/data?page=1 200, request one",
        "DEBUG gateway: POST /v1/data 401, request two",
      ]);
      const all = stub.app.log.join("\n");
      expect(all).not.toContain(stub.app.key);
      expect(all).not.toContain("some-wrong-key-here");
    } finally {
      await stub.app.stop();
    }
  });
});

describe("without the service behind it", () => {
  test("a route is unavailable, and its key is still asked for first", async () => {
    const stub = await startGatewayStub();
    try {
      await stub.app.broker.destroyService("records");
      expectRefusal(await request(stub.app, "GET", "/v1/data", { key: null }), 401, "unauthorized");
      const answer = await request(stub.app, "POST", "/v1/data", { body: { name: "A", type: "t" } });
      expectRefusal(answer, 503, "unavailable");
      expect(answer.headers["retry-after"]).toBe("1");
      await stub.app.broker.destroyService("keys");
      const other = await request(stub.app, "GET", "/v1/data", { key: newApiKey() });
      expectRefusal(other, 503, "unavailable");
    } finally {
      await stub.app.stop();
    }
  });
});
