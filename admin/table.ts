/** Lines whose cells stand beneath each other, two spaces apart. */
export function table(rows: readonly (readonly string[])[]): string[] {
  const cells = rows.map((row) => row.map(printable));
  const widths = cells.reduce<number[]>(
    (known, row) => row.map((cell, column) => Math.max(known[column] ?? 0, length(cell))),
    [],
  );
  return cells.map((row) =>
    row
      .map((cell, column) => cell + " ".repeat((widths[column] ?? 0) - length(cell)))
      .join("  ")
      .trimEnd(),
  );
}

/** Names come from clients: whatever could steer the operator's terminal or break the line becomes a "?". */
export function printable(text: string): string {
  return text.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, "?");
}

function length(text: string): number {
  return [...text].length;
}
