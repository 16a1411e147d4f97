/** Progress on standard error; the report alone goes to standard output. */

/** Without a terminal every line stays, so fewer are written. */
const QUIET_MS = 2_000;

const startMs = performance.now();
let lastMs = Number.NEGATIVE_INFINITY;

/** Shows what is under way: on a terminal always in the same line. */
export function progress(line: string): void {
  if (process.stderr.isTTY) {
    process.stderr.write(`\r\x1b[K${stamped(line)}`);
  } else if (performance.now() - lastMs > QUIET_MS) {
    lastMs = performance.now();
    process.stderr.write(`${stamped(line)}\n`);
  }
}

/** Writes a line that stays. */
export function note(line: string): void {
  process.stderr.write(process.stderr.isTTY ? `\r\x1b[K${stamped(line)}\n` : `${stamped(line)}\n`);
}

/** Seconds since the benchmark began. */
export function elapsedSeconds(): number {
  return (performance.now() - startMs) / 1000;
}

function stamped(line: string): string {
  return `${elapsedSeconds().toFixed(0).padStart(4)} s  ${line}`;
}
