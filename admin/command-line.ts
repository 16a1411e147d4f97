import { parseArgs, types } from "node:util";
import type { Command, CommandArguments } from "./command.ts";

/** Something typed that no command takes: a sentence, and how it is done. */
export class UsageError extends Error {}

export interface ParsedCommand {
  readonly command: Command;
  readonly given: CommandArguments;
}

export const helpWords: ReadonlySet<string> = new Set(["--help", "-h"]);

/**
 * Finds the command that was typed, and what was typed with it.
 * @param typed its words
 * @param lead what is typed before them, for the usage: `npm run admin -- `
 * @throws UsageError
 */
export function parseCommand(
  commands: readonly Command[],
  typed: readonly string[],
  lead = "",
): ParsedCommand {
  const command = commands.find(({ name }) => isNamed(name, typed));
  if (!command) throw new UsageError(`There is no command like this.\n\n${listCommands(commands)}`);
  const misused = (sentence: string) => new UsageError(`${sentence}\nUsage: ${lead}${synopsis(command)}`);
  try {
    return { command, given: readWords(command, typed.slice(command.name.split(" ").length)) };
  } catch (error) {
    if (error instanceof UsageError) throw misused(error.message);
    if (!types.isNativeError(error) || !isComplaint(error)) throw error;
    // Behind the first sentence comes advice about words that begin with a dash.
    throw misused(`${error.message.split(/\.\s/, 1)}.`);
  }
}

function isNamed(name: string, typed: readonly string[]): boolean {
  return name.split(" ").every((word, place) => typed[place] === word);
}

function readWords({ operands, options }: Command, words: readonly string[]): CommandArguments {
  const { values, positionals } = parseArgs({
    args: [...words],
    options: Object.fromEntries(Object.keys(options).map((name) => [name, { type: "string" as const }])),
    allowPositionals: true,
  });
  const extra = positionals[operands.length];
  if (extra !== undefined) throw new UsageError(`"${extra}" is a word too many.`);
  const absent = operands[positionals.length];
  if (absent !== undefined) throw new UsageError(`The <${absent}> is missing.`);
  const missing = Object.entries(options).find(([name, { required }]) => required && !values[name]);
  if (missing) throw new UsageError(`--${missing[0]} is required.`);
  const named = operands.map((name, place) => [name, positionals[place]] as const);
  return { ...values, ...Object.fromEntries(named) };
}

function isComplaint(error: NodeJS.ErrnoException): boolean {
  return error.code?.startsWith("ERR_PARSE_ARGS") ?? false;
}

/** How a command is typed: `keys create <user id> [--name <name>]`. */
export function synopsis({ name, operands, options }: Command): string {
  const written = Object.entries(options).map(([option, { value, required }]) =>
    required ? `--${option} <${value}>` : `[--${option} <${value}>]`,
  );
  return [name, ...operands.map((operand) => `<${operand}>`), ...written].join(" ");
}

/** The commands as they are typed, each with its help. */
export function listCommands(commands: readonly Command[]): string {
  return listDescribed(commands.map((command) => ({ synopsis: synopsis(command), help: command.help })));
}

/** A command as the help shows it. */
export interface Described {
  readonly synopsis: string;
  readonly help: string;
}

/** A list of commands, each with its help. */
export function listDescribed(commands: readonly Described[]): string {
  return ["Commands", ...commands.map((command) => `  ${command.synopsis}\n      ${command.help}.`)].join(
    "\n",
  );
}
