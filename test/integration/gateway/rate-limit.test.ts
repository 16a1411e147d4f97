import { describe, expect, test } from "@jest/globals";
import { startGatewayStub } from "../../support/gateway-stub.ts";
import { request } from "../../support/http.ts";

describe("rate limit", () => {
  test("each key has its number; the next request is refused before its role and body are looked at", async () => {
    const stub = await startGatewayStub({
      env: { RATE_LIMIT_REQUESTS: "3", RATE_LIMIT_WINDOW_SECONDS: "600" },
    });
    const { app, keys, calls } = stub;
    try {
      const first = await request(app, "GET", "/v1/data", { key: keys.viewer });
      expect(first.headers["ratelimit-policy"]).toBe('"default";q=3;w=600');
      expect(first.headers.ratelimit).toMatch(/^"default";r=2;t=(600|599)$/);
      // A refusal behind the key counts, and says so too.
      const forbidden = await request(app, "POST", "/v1/data", { key: keys.viewer, body: {} });
      expect([forbidden.status, forbidden.headers.ratelimit?.slice(0, 13)]).toEqual([403, '"default";r=1']);
      const invalid = await request(app, "GET", "/v1/data?x=1", { key: keys.viewer });
      expect([invalid.status, invalid.headers.ratelimit?.slice(0, 13)]).toEqual([400, '"default";r=0']);

      calls.length = 0;
      const headers = { "X-Forwarded-For": "203.0.113.9", Forwarded: "for=203.0.113.9" };
      const over = await request(app, "POST", "/v1/data", { key: keys.viewer, body: "{", headers });
      expect([over.status, over.body.error.code]).toEqual([429, "rate_limited"]);
      expect(over.body.error.message).toContain("3 requests in 600 seconds");
      expect(over.headers["ratelimit-policy"]).toBe('"default";q=3;w=600');
      expect(over.headers.ratelimit).toMatch(/^"default";r=0;t=\d+$/);
      expect(over.headers["retry-after"]).toMatch(/^(600|59\d)$/);
      expect(calls).toEqual([]);

      const other = await request(app, "GET", "/v1/data", { key: keys.editor });
      expect([other.status, other.headers.ratelimit?.slice(0, 13)]).toEqual([200, '"default";r=2']);
    } finally {
      await app.stop();
    }
  });

  test("nothing is counted before the key, nor by probes", async () => {
    const { app } = await startGatewayStub({
      env: { RATE_LIMIT_REQUESTS: "1", RATE_LIMIT_WINDOW_SECONDS: "600" },
    });
    try {
      for (const [method, path, key] of [
        ["GET", "/livez", undefined],
        ["GET", "/v1/nothing", undefined],
        ["PUT", "/v1/data", undefined],
        ["GET", "/v1/data", null],
      ] as const) {
        const answer = await request(app, method, path, { key });
        expect(answer.headers).not.toHaveProperty("ratelimit");
        expect(answer.headers).not.toHaveProperty("ratelimit-policy");
      }
      expect((await request(app, "GET", "/v1/data")).status).toBe(200);
    } finally {
      await app.stop();
    }
  });

  test("0 is none, and says nothing", async () => {
    const { app } = await startGatewayStub({ env: { RATE_LIMIT_REQUESTS: "0" } });
    try {
      const answer = await request(app, "GET", "/v1/data");
      expect(answer.status).toBe(200);
      expect(answer.headers).not.toHaveProperty("ratelimit");
    } finally {
      await app.stop();
    }
  });
});
