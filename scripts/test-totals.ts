/**
 * Adds up the results that jest wrote with --json and prints them as one line, such as
 * "12 passed, 0 failed, 1 skipped".
 *
 * Usage: node scripts/test-totals.ts RESULTS.json…
 */
import { existsSync, readFileSync } from "node:fs";

/** What is read of jest's --json output. */
export interface JestResults {
  numPassedTests: number;
  numFailedTests: number;
  /** Files that failed before any of their tests could run. */
  numRuntimeErrorTestSuites: number;
  numPendingTests: number;
  numTodoTests: number;
}

/**
 * The totals as one line. A file that could not be run counts as one failed test, and so does `undefined`: a
 * run that came to no results.
 */
export function totalsLine(runs: (JestResults | undefined)[]): string {
  const total = (count: (run: JestResults) => number, ifNone = 0) =>
    runs.reduce((sum, run) => sum + (run === undefined ? ifNone : count(run)), 0);
  const passed = total((run) => run.numPassedTests);
  const failed = total((run) => run.numFailedTests + run.numRuntimeErrorTestSuites, 1);
  const skipped = total((run) => run.numPendingTests + run.numTodoTests);
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`;
}

function readResults(path: string): JestResults | undefined {
  return existsSync(path) ? JSON.parse(readFileSync(path, "utf8")) : undefined;
}

if (import.meta.main) console.log(totalsLine(process.argv.slice(2).map(readResults)));
