import { parseArgs, types } from "node:util";
import type { Command, CommandArguments } from "./command.ts";

/** Something typed that no command takes: a sentence, and how it is done. */
export class UsageError extends Error {}

export interface ParsedCommand {
  readonly command: Command;
  readonly given: CommandArguments;
}

const helpWords = new Set(["--help", "-h"]);

/**
 * Finds the command that was typed, and what was typed with it.
 * @param typed the words behind the program's name
 * @returns undefined where help was asked for
 * @throws UsageError
 */
export function parseCommand(
  commands: readonly Command[],
  typed: readonly string[],
): ParsedCommand | undefined {
  if (typed.length === 0 || typed.some((word) => helpWords.has(word))) return undefined;
  const command = commands.find(({ name }) => typed.slice(0, 2).join(" ") === name);
  if (!command) throw new UsageError(`There is no command like this.\n\n${helpPage(commands)}`);
  const { values, positionals } = parseWords(command, typed.slice(2));
  if (positionals.length !== command.operands.length)
    throw misused(command, "Words are missing or too many.");
  const missing = Object.entries(command.options).find(([name, { required }]) => required && !values[name]);
  if (missing) throw misused(command, `--${missing[0]} is required.`);
  const operands = command.operands.map((name, place) => [name, positionals[place]] as const);
  return { command, given: { ...values, ...Object.fromEntries(operands) } };
}

function parseWords(command: Command, words: readonly string[]) {
  const options = Object.fromEntries(
    Object.keys(command.options).map((name) => [name, { type: "string" as const }]),
  );
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true });
  } catch (error) {
    if (!types.isNativeError(error) || !isComplaint(error)) throw error;
    // Behind the first sentence comes advice about words that begin with a dash.
    throw misused(command, `${error.message.split(/\.\s/, 1)}.`);
  }
}

function isComplaint(error: NodeJS.ErrnoException): boolean {
  return error.code?.startsWith("ERR_PARSE_ARGS") ?? false;
}

function misused(command: Command, sentence: string): UsageError {
  return new UsageError(`${sentence}\nUsage: npm run admin -- ${synopsis(command)}`);
}

/** How a command is typed: `keys create <user id> [--name <name>]`. */
export function synopsis({ name, operands, options }: Command): string {
  const written = Object.entries(options).map(([option, { value, required }]) =>
    required ? `--${option} <${value}>` : `[--${option} <${value}>]`,
  );
  return [name, ...operands.map((operand) => `<${operand}>`), ...written].join(" ");
}

/** The page that --help prints. */
export function helpPage(commands: readonly Command[]): string {
  const entries = commands.map((command) => `  ${synopsis(command)}\n      ${command.help}.`);
  return `Usage: npm run admin -- <command>

Commands
${entries.join("\n")}

The commands work on the database that the environment names: DATABASE_URL, or SQLite in DATA_DIR
(./data). They may run beside a service that uses it. On an empty database they make the tables and
nothing else: \`workspaces create\` makes the workspace that it was told to, and a service that starts
later finds it, makes none of its own and does not use BOOTSTRAP_API_KEY.

Facts go to standard output, remarks and errors to standard error; \`npm run --silent admin -- …\` keeps
npm's own lines out of the way. Exit status: 0 done, 1 refused or failed, 2 typed in a wrong way.`;
}
