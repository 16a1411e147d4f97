import { describe, expect, test } from "@jest/globals";
import { requestIdOf } from "../../../../services/gateway/request-id.ts";

describe("requestIdOf", () => {
  test.each([["a"], ["A-b_c.9"], ["x".repeat(128)]])("keeps %s", (given) => {
    expect(requestIdOf(given)).toBe(given);
  });

  test.each([
    ["nothing", undefined],
    ["an empty one", ""],
    ["one that is too long", "x".repeat(129)],
    ["a space", "a b"],
    ["a line break", "a\nb"],
    ["a line break at its end", "a\n"],
    ["letters of other alphabets", "é"],
    ["two in one", "a, b"],
    ["two", ["a", "b"]],
  ])("makes a new one for %s", (_, given) => {
    const made = requestIdOf(given);
    expect(made).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
    expect(made).not.toBe(given);
  });

  test("never makes the same one twice", () => {
    const made = Array.from({ length: 1_000 }, () => requestIdOf(undefined));
    expect(new Set(made).size).toBe(1_000);
  });
});
