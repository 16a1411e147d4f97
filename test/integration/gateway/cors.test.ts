import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type GatewayStub, startGatewayStub } from "../../support/gateway-stub.ts";
import { type HttpAnswer, request } from "../../support/http.ts";

const ORIGIN = "https://app.example";
const preflight = (origin: string) => ({
  key: null,
  headers: { Origin: origin, "Access-Control-Request-Method": "PATCH" },
});
const corsHeaders = ({ headers }: HttpAnswer) =>
  Object.keys(headers).filter((name) => name.startsWith("access-control-") || name === "vary");

describe("without CORS_ORIGINS", () => {
  let stub: GatewayStub;
  beforeAll(async () => {
    stub = await startGatewayStub();
  });
  afterAll(() => stub.app.stop());

  test("no answer says anything about origins", async () => {
    const answer = await request(stub.app, "GET", "/v1/data", { headers: { Origin: ORIGIN } });
    expect([answer.status, corsHeaders(answer)]).toEqual([200, []]);
  });

  test("a preflight is a method that the path does not know", async () => {
    const answer = await request(stub.app, "OPTIONS", "/v1/data/rec_1", preflight(ORIGIN));
    expect([answer.status, answer.headers.allow, corsHeaders(answer)]).toEqual([
      405,
      "DELETE, GET, HEAD, PATCH",
      [],
    ]);
  });
});

describe("with CORS_ORIGINS", () => {
  let stub: GatewayStub;
  beforeAll(async () => {
    stub = await startGatewayStub({ env: { CORS_ORIGINS: `${ORIGIN}, https://other.example` } });
  });
  afterAll(() => stub.app.stop());

  test("a preflight needs no key and calls nothing", async () => {
    const answer = await request(stub.app, "OPTIONS", "/v1/data/rec_1", preflight(ORIGIN));
    expect([answer.status, answer.text]).toEqual([204, ""]);
    expect(answer.headers).toMatchObject({
      vary: "Origin",
      "access-control-allow-origin": ORIGIN,
      "access-control-allow-methods": "DELETE, GET, HEAD, PATCH",
      "access-control-allow-headers": "Authorization, Content-Type, Idempotency-Key, X-Request-Id",
      "access-control-max-age": "600",
    });
    expect(answer.headers).not.toHaveProperty("access-control-allow-credentials");
    expect([stub.calls, stub.lookUps]).toEqual([[], []]);
  });

  test.each([
    ["GET", "/v1/data", undefined, 200],
    ["GET", "/v1/data", null, 401],
    ["GET", "/v1/data?x=1", undefined, 400],
    ["GET", "/v1/nothing", undefined, 404],
    ["OPTIONS", "/v1/data", undefined, 405],
  ])("%s %s with key %s: %i can be read by the page", async (method, path, key, status) => {
    const answer = await request(stub.app, method, path, { key, headers: { Origin: ORIGIN } });
    expect(answer.status).toBe(status);
    expect(answer.headers).toMatchObject({
      vary: "Origin",
      "access-control-allow-origin": ORIGIN,
      "access-control-expose-headers": "Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
    });
  });

  test("a foreign origin is told nothing", async () => {
    const answer = await request(stub.app, "GET", "/v1/data", {
      headers: { Origin: "https://evil.example" },
    });
    expect([answer.status, corsHeaders(answer)]).toEqual([200, ["vary"]]);
    const asked = await request(stub.app, "OPTIONS", "/v1/data", preflight("https://evil.example"));
    expect([asked.status, corsHeaders(asked)]).toEqual([204, ["vary"]]);
  });

  test("a preflight of an unknown path is none", async () => {
    expect((await request(stub.app, "OPTIONS", "/v1/nothing", preflight(ORIGIN))).status).toBe(404);
  });
});
