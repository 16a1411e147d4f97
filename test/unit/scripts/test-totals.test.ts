import { describe, expect, test } from "@jest/globals";
import { totalsLine } from "../../../scripts/test-totals.ts";

const none = {
  numPassedTests: 0,
  numFailedTests: 0,
  numRuntimeErrorTestSuites: 0,
  numPendingTests: 0,
  numTodoTests: 0,
};

describe("totalsLine", () => {
  test("adds up all runs", () => {
    const runs = [
      { ...none, numPassedTests: 10, numFailedTests: 1 },
      { ...none, numPassedTests: 2 },
    ];
    expect(totalsLine(runs)).toBe("12 passed, 1 failed");
  });

  test("names skipped tests only where there are some", () => {
    expect(totalsLine([none])).toBe("0 passed, 0 failed");
    expect(totalsLine([{ ...none, numPendingTests: 2, numTodoTests: 1 }])).toBe(
      "0 passed, 0 failed, 3 skipped",
    );
  });

  test("counts a file that could not be run, and a run without results, as failed", () => {
    expect(totalsLine([{ ...none, numPassedTests: 3, numRuntimeErrorTestSuites: 1 }])).toBe(
      "3 passed, 1 failed",
    );
    expect(totalsLine([{ ...none, numPassedTests: 3 }, undefined])).toBe("3 passed, 1 failed");
  });
});
