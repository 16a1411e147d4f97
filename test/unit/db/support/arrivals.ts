import { setImmediate as nextTurn } from "node:timers/promises";

/** The results and errors of the promises in the order in which they come, each as it comes. */
export function arrivals(promises: Promise<unknown>[]): unknown[] {
  const arrived: unknown[] = [];
  for (const promise of promises) {
    promise.then(
      (result) => arrived.push(result),
      (error: unknown) => arrived.push(error),
    );
  }
  return arrived;
}

/** Gives everything that could run now its turn. */
export async function everythingElse(): Promise<void> {
  for (let turn = 0; turn < 5; turn += 1) await nextTurn();
}
