/** The cells of a printed table or of lines, by their gaps of two spaces. */
export function cells(stdout: string): string[][] {
  return stdout
    .trimEnd()
    .split("\n")
    .map((line) => line.split(/ {2,}/));
}
