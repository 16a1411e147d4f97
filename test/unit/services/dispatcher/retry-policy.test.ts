import { describe, expect, test } from "@jest/globals";
import { MAX_ATTEMPTS, nextStep } from "../../../../services/dispatcher/retry-policy.ts";

const baseMs = 5_000;
const noJitter = { baseMs, random: () => 0 };
const mostJitter = { baseMs, random: () => 1 - Number.EPSILON };
const failure = { isSuccess: false };

describe("what becomes of a delivery", () => {
  test.each([1, 2, 3, 4, 5, 9])("success of attempt %d ends it", (attempt) => {
    expect(nextStep(attempt, { isSuccess: true, retryAfterMs: 9_000 }, noJitter)).toEqual({
      kind: "succeeded",
    });
  });

  test.each([
    [1, 5_000, 5_500],
    [2, 25_000, 27_500],
    [3, 125_000, 137_500],
  ])("behind failure %d it waits %d ms, with chance up to %d ms", (attempt, least, most) => {
    expect(nextStep(attempt, failure, noJitter)).toEqual({ kind: "retry", inMs: least });
    expect(nextStep(attempt, failure, mostJitter)).toEqual({ kind: "retry", inMs: most });
  });

  test.each([4, 5, 12])("failure of attempt %d is the last, whatever the receiver asks for", (attempt) => {
    expect(nextStep(attempt, { ...failure, retryAfterMs: 1_000 }, noJitter)).toEqual({ kind: "failed" });
  });

  test("there are four attempts in all", () => {
    expect(MAX_ATTEMPTS).toBe(4);
  });
});

describe("a receiver that asks to be left alone", () => {
  test.each([
    ["for less than the wait changes nothing", 4_999, 5_000],
    ["for longer has its way", 60_000, 60_000],
    ["for part of a millisecond has the whole", 60_000.2, 60_001],
    ["for ten minutes has its way", 600_000, 600_000],
    ["for more has ten minutes", 600_001, 600_000],
    ["for ever has ten minutes", Number.POSITIVE_INFINITY, 600_000],
    ["for no time that is one changes nothing", Number.NaN, 5_000],
    ["for less than nothing changes nothing", -1, 5_000],
  ])("%s", (_what, retryAfterMs, inMs) => {
    expect(nextStep(1, { ...failure, retryAfterMs }, noJitter)).toEqual({ kind: "retry", inMs });
  });

  test("never shortens a wait that is set to more than ten minutes", () => {
    const slow = { baseMs: 1_000_000, random: () => 0 };
    expect(nextStep(1, { ...failure, retryAfterMs: 700_000 }, slow)).toEqual({
      kind: "retry",
      inMs: 1_000_000,
    });
  });
});
