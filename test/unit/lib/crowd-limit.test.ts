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

  test("lets no more in than it has places in all", () => {
    const limit = new CrowdLimit(2, 3);
    const leave = limit.enter("a");
    limit.enter("a");
    limit.enter("b");
    expect(limit.enter("c")).toBeUndefined();
    leave?.();
    expect(limit.enter("c")).toBeDefined();
    expect(limit.enter("b")).toBeUndefined();
  });
});
