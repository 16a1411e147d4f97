import { describe, expect, test } from "@jest/globals";
import { Cors } from "../../../../services/gateway/cors.ts";

const ORIGIN = "https://app.example";

function asObject(headers: readonly string[]): Record<string, string> {
  const pairs = headers.flatMap((name, at) => (at % 2 === 0 ? [[name, headers[at + 1] ?? ""] as const] : []));
  return Object.fromEntries(pairs);
}

describe("Cors", () => {
  test("without origins it says nothing", () => {
    const cors = new Cors([]);
    expect(cors.isOn).toBe(false);
    expect(cors.answerHeaders(ORIGIN)).toEqual([]);
  });

  test("an origin that is listed may read answers and their headers", () => {
    expect(asObject(new Cors(["https://other.example", ORIGIN]).answerHeaders(ORIGIN))).toEqual({
      Vary: "Origin",
      "Access-Control-Allow-Origin": ORIGIN,
      "Access-Control-Expose-Headers": "Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id",
    });
  });

  test.each([
    ["another one", "https://evil.example"],
    ["one that a listed one is a part of", "https://app.example.evil.example"],
    ["one that is a part of a listed one", "https://app"],
    ["another scheme", "http://app.example"],
    ["another port", "https://app.example:8443"],
    ["another case", "https://APP.example"],
    ["none", undefined],
    ["null", "null"],
  ])("%s is told nothing", (_, origin) => {
    const cors = new Cors([ORIGIN]);
    expect(asObject(cors.answerHeaders(origin))).toEqual({ Vary: "Origin" });
    expect(cors.preflightHeaders(origin, "GET, POST")).toEqual([]);
  });

  test("a star allows every origin", () => {
    expect(asObject(new Cors(["*"]).answerHeaders("null"))["Access-Control-Allow-Origin"]).toBe("*");
  });

  test("a preflight is told the methods of the path and the headers of the interface", () => {
    expect(asObject(new Cors([ORIGIN]).preflightHeaders(ORIGIN, "GET, POST"))).toEqual({
      "Access-Control-Allow-Methods": "GET, POST",
      "Access-Control-Allow-Headers": "Authorization, Content-Type, Idempotency-Key, X-Request-Id",
      "Access-Control-Max-Age": "600",
    });
  });
});
