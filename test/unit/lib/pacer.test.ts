import { afterEach, beforeEach, describe, expect, jest, test } from "@jest/globals";
import { createPacer } from "../../../lib/pacer.ts";

describe("a pacer", () => {
  let nowMs = 0;

  beforeEach(() => {
    nowMs = 0;
    jest.spyOn(performance, "now").mockImplementation(() => nowMs);
  });
  afterEach(() => {
    jest.restoreAllMocks();
  });

  /** Whether something else that waits gets its turn while the pacer is awaited. */
  async function letsOthersRun(pause: () => Promise<void>): Promise<boolean> {
    let ran = false;
    const turn = setImmediate(() => {
      ran = true;
    });
    await pause();
    clearImmediate(turn);
    return ran;
  }

  test("goes straight on within its slice", async () => {
    const pause = createPacer(10);
    nowMs = 9.9;
    expect(await letsOthersRun(pause)).toBe(false);
  });

  test("lets others run once the slice is over", async () => {
    const pause = createPacer(10);
    nowMs = 10;
    expect(await letsOthersRun(pause)).toBe(true);
  });

  test("begins a new slice after each pause", async () => {
    const pause = createPacer(10);
    nowMs = 50;
    await pause();
    nowMs = 59;
    expect(await letsOthersRun(pause)).toBe(false);
    nowMs = 60;
    expect(await letsOthersRun(pause)).toBe(true);
  });

  test("has slices far shorter than the 50 ms that a request may hold the process", async () => {
    const pause = createPacer();
    nowMs = 25;
    expect(await letsOthersRun(pause)).toBe(true);
  });
});
