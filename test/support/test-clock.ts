const DAY_MS = 86_400_000;
let latestStartMs = Date.parse("2031-01-01T00:00:00.000Z");

/** A clock of a test's own: it ticks a millisecond whenever it is read, unless it is told to stand still. */
export interface TestClock {
  /** What was read last, in milliseconds since 1970. */
  nowMs: number;
  /** By how much each reading goes on; 0 stands still, less steps back. */
  tickMs: number;
  readonly read: () => number;
}

/** A clock that starts a day after the one before, because ids of a process never go back in time. */
export function newTestClock(): TestClock {
  latestStartMs += DAY_MS;
  const clock: TestClock = {
    nowMs: latestStartMs,
    tickMs: 1,
    read: () => {
      clock.nowMs += clock.tickMs;
      return clock.nowMs;
    },
  };
  return clock;
}
