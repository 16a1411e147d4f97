import type { Command } from "./command.ts";

/**
 * The commands of moleculer-repl that the console keeps: those that look. The others load code, stop services,
 * send events into the cluster, or print settings with their secrets.
 */
export const stockWords: readonly string[] = ["actions", "events", "nodes", "services"];

export const callWords: ReadonlySet<string> = new Set(["call", "dcall"]);
export const leaveWords: ReadonlySet<string> = new Set(["quit", "exit", "q"]);

/** The first word of a command's name: `keys` of `keys create`. */
export function groupOf(name: string): string {
  return name.split(" ", 1).join();
}

/** What a line that begins so can go on as; all there is where it begins like nothing. */
export function completions(commands: readonly Command[], line: string): string[] {
  const all = [
    ...commands.map(({ name }) => name),
    ...callWords,
    ...stockWords,
    "info",
    "env",
    "help",
    "quit",
  ];
  const hits = all.filter((name) => name.startsWith(line));
  return hits.length > 0 ? hits : all;
}
