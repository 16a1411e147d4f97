import { describe, expect, test } from "@jest/globals";
import { CrowdLimit } from "../../../lib/crowd-limit.ts";

describe("a crowd limit", () => {
  test("lets as many in as it has places, for each key by itself", () => {
    const limit = new CrowdLimit(2);
    expect([limit.enter("a"), limit.enter("a"), limit.enter("b")]).not.toContain(undefined);
    expect(limit.enter("a")).toBeUndefined();
    expect(limit.enter("b")).toBeDefined();
  });

  test("gives a place that was left to the next one, and only once", () => {
    const limit = new CrowdLimit(1);
    const leave = limit.enter("a");
    expect(limit.enter("a")).toBeUndefined();
    leave?.();
    leave?.();
    expect(limit.enter("a")).toBeDefined();
    expect(limit.enter("a")).toBeUndefined();
  });
});
