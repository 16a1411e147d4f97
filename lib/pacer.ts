import { setImmediate as nextTurn } from "node:timers/promises";

/** How long one piece of work may hold the process before others get their turn. */
const SLICE_MS = 8;

export type Pacer = () => Promise<void>;

/** Those who wait for their next slice: one a turn, so that many long works hold the process no longer than one. */
let line: Promise<void> = Promise.resolve();

/**
 * Keeps a long piece of work from holding the process: await the pacer between steps, and once in a
 * slice it lets everything else that waits run first.
 */
export function createPacer(sliceMs: number = SLICE_MS): Pacer {
  let sliceEndsAtMs = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < sliceEndsAtMs) return;
    line = line.then(() => nextTurn());
    await line;
    sliceEndsAtMs = performance.now() + sliceMs;
  };
}
