const lengths = ["short", "normal", "long"] as const;
type Length = (typeof lengths)[number];

/** How long soaks take: `SOAK=short` is for CI, `SOAK=long` for the night before a release. */
export function soakLength<Value>(values: Readonly<Record<Length, Value>>): Value {
  const asked = lengths.find((length) => length === (process.env.SOAK ?? "normal"));
  if (!asked) throw new Error(`SOAK must be one of ${lengths.join(", ")}.`);
  return values[asked];
}

/** Prints a line at once, past jest, so that somebody who waits sees that it goes on. */
export function progress(line: string): void {
  process.stdout.write(`    ${line}\n`);
}
