import { setImmediate as nextTurn } from "node:timers/promises";

/** How long one piece of work may hold the process before others get their turn. */
const SLICE_MS = 8;

export type Pacer = () => Promise<void>;

/**
 * Keeps a long piece of work from holding the process: await the pacer between steps, and once in a
 * slice it lets everything else that waits run first.
 */
export function createPacer(sliceMs: number = SLICE_MS): Pacer {
  let sliceEndsAtMs = performance.now() + sliceMs;
  return async () => {
    if (performance.now() < sliceEndsAtMs) return;
    await nextTurn();
    sliceEndsAtMs = performance.now() + sliceMs;
  };
}
