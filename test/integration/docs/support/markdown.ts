/** A fenced block of code in a markdown document. */
export interface CodeBlock {
  readonly language: string;
  readonly text: string;
  /** The line in the document at which it begins, counted from 1. */
  readonly line: number;
  /** The heading beneath which it stands. */
  readonly heading: string;
}

/** What a reader does next in a document, and what the document says that comes of it. */
export interface Step {
  readonly commands: CodeBlock | undefined;
  readonly shown: CodeBlock | undefined;
}

/** The fenced blocks of a document, in order. */
export function codeBlocks(markdown: string): CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let heading = "";
  let open: { language: string; line: number; lines: string[] } | undefined;
  for (const [at, line] of markdown.split("\n").entries()) {
    if (open && line === "```") {
      blocks.push({ language: open.language, text: open.lines.join("\n"), line: open.line, heading });
      open = undefined;
    } else if (open) {
      open.lines.push(line);
    } else if (line.startsWith("```")) {
      open = { language: line.slice(3), line: at + 1, lines: [] };
    } else if (/^#+ /.test(line)) {
      heading = line.replace(/^#+ /, "");
    }
  }
  if (open) throw new Error(`The block at line ${open.line} has no end.`);
  return blocks;
}

/** The blocks as steps: `sh` blocks are commands, and another one right behind them is their answer. */
export function stepsOf(blocks: readonly CodeBlock[]): Step[] {
  const steps: Step[] = [];
  let commands: CodeBlock | undefined;
  for (const block of blocks) {
    if (block.language !== "sh") {
      steps.push({ commands, shown: block });
      commands = undefined;
      continue;
    }
    if (commands) steps.push({ commands, shown: undefined });
    commands = block;
  }
  if (commands) steps.push({ commands, shown: undefined });
  return steps;
}

/**
 * The cells of all tables beneath such a heading row, as in `["Name", "Default"]`; without these rows and the
 * rules below them.
 */
export function tableRows(markdown: string, columns: readonly string[]): string[][] {
  const lines = markdown.split("\n");
  const heading = `| ${columns.join(" | ")} |`;
  const starts = lines.flatMap((line, at) => (line === heading ? [at] : []));
  if (starts.length === 0) throw new Error(`There is no table with the columns ${columns.join(", ")}.`);
  return starts.flatMap((start) => {
    const length = lines.slice(start).findIndex((line) => !line.startsWith("|"));
    return lines.slice(start + 2, length === -1 ? undefined : start + length).map(cellsOf);
  });
}

function cellsOf(line: string): string[] {
  return line
    .split(/(?<!\\)\|/)
    .slice(1, -1)
    .map((cell) => cell.trim());
}
