import { describe, expect, test } from "@jest/globals";
import { RateLimiter, rateLimitHeaders } from "../../../../services/gateway/rate-limiter.ts";

function limiterAt(limit: { requests: number; windowSeconds: number }) {
  const clock = { nowMs: 1_000 };
  return { clock, limiter: new RateLimiter(limit, () => clock.nowMs) };
}

describe("RateLimiter", () => {
  test("lets a key have its number in a window, and no more", () => {
    const { limiter, clock } = limiterAt({ requests: 2, windowSeconds: 60 });
    expect(limiter.spend("key_1")).toEqual({ isAllowed: true, remaining: 1, resetSeconds: 60 });
    clock.nowMs += 500;
    expect(limiter.spend("key_1")).toEqual({ isAllowed: true, remaining: 0, resetSeconds: 60 });
    clock.nowMs += 58_501;
    expect(limiter.spend("key_1")).toEqual({ isAllowed: false, remaining: 0, resetSeconds: 1 });
  });

  test("the window ends at its time, whatever was asked in it", () => {
    const { limiter, clock } = limiterAt({ requests: 1, windowSeconds: 10 });
    limiter.spend("key_1");
    clock.nowMs += 9_999;
    expect(limiter.spend("key_1")).toMatchObject({ isAllowed: false, resetSeconds: 1 });
    clock.nowMs += 1;
    expect(limiter.spend("key_1")).toEqual({ isAllowed: true, remaining: 0, resetSeconds: 10 });
  });

  test("keys do not use up each other's number", () => {
    const { limiter } = limiterAt({ requests: 1, windowSeconds: 60 });
    limiter.spend("key_1");
    expect(limiter.spend("key_2")).toMatchObject({ isAllowed: true });
    expect(limiter.spend("key_1")).toMatchObject({ isAllowed: false });
  });

  test("0 is no limit", () => {
    const { limiter } = limiterAt({ requests: 0, windowSeconds: 60 });
    expect(limiter.spend("key_1")).toBeUndefined();
    expect(limiter.size).toBe(0);
  });

  test("keys that are no longer used leave no trace", () => {
    const { limiter, clock } = limiterAt({ requests: 5, windowSeconds: 1 });
    for (let key = 0; key < 1_000; key += 1) limiter.spend(`old_${key}`);
    clock.nowMs += 1_000;
    for (let key = 0; key < 600; key += 1) limiter.spend(`new_${key}`);
    expect(limiter.size).toBe(600);
  });

  test("says it in the two fields of the draft", () => {
    const headers = rateLimitHeaders(
      { requests: 6_000, windowSeconds: 60 },
      { isAllowed: true, remaining: 5_999, resetSeconds: 60 },
    );
    expect(headers).toEqual([
      "RateLimit-Policy",
      '"default";q=6000;w=60',
      "RateLimit",
      '"default";r=5999;t=60',
    ]);
  });
});
