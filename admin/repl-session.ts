import type { REPLEval, REPLServer } from "node:repl";
import type { ServiceBroker } from "moleculer";
import startRepl from "moleculer-repl";
import { summarizeConfig } from "../lib/config.ts";
import { callHelp, runCall } from "./call-command.ts";
import type { Command, CommandOutput } from "./command.ts";
import { helpWords, listCommands, parseCommand, UsageError } from "./command-line.ts";
import { describeError } from "./describe-error.ts";
import type { Operator } from "./operator.ts";
import { printable } from "./table.ts";
import { splitWords } from "./words.ts";

const PROMPT = "workspace-data $ ";
const HISTORY_KEEPS_OUT = /config|secret|token|hook_url|webhook_url/i;

const leaveWords: ReadonlySet<string> = new Set(["quit", "exit", "q"]);
const callWords: ReadonlySet<string> = new Set(["call", "dcall"]);

/**
 * A console on the broker: moleculer-repl's, with the operators' commands beside its own. `call` is ours, since
 * it guesses at types (`--name 42` became a number) and prints stacks; so is `env`, which would show secrets.
 *
 * Lines run one after the other, also where a pipe brings them all at once; then there is no prompt, and the
 * process ends with 1 where a command has failed.
 */
export class ReplSession {
  readonly #broker: ServiceBroker;
  readonly #commands: readonly Command[];
  readonly #operator: Operator;
  readonly #isTerminal = process.stdin.isTTY && process.stdout.isTTY;
  #known: ReadonlySet<string> = new Set();
  #words: readonly string[] = [];
  #last: Promise<void> = Promise.resolve();
  #hasFailed = false;
  #isLeaving = false;

  constructor(broker: ServiceBroker, commands: readonly Command[], operator: Operator) {
    this.#broker = broker;
    this.#commands = commands;
    this.#operator = operator;
  }

  /** Reads commands until the input ends or one of them leaves; the process ends with it. */
  start(): void {
    const server = this.#isTerminal ? this.#startServer() : silently(() => this.#startServer());
    if (!this.#isTerminal) server.setPrompt("");
    const stock = server.eval;
    const evaluate: REPLEval = (line, context, file, done) => {
      const runStock = () =>
        new Promise<void>((resolve) => stock.call(server, line, context, file, () => resolve()));
      this.#last = this.#last.then(() => this.#runLine(line, runStock));
      void this.#last.then(() => done(null, undefined));
    };
    Object.assign(server, { eval: evaluate, ignoreUndefined: true });
    // What an empty line could be completed to is every command there is.
    server.completer("", (_error, [commands] = [[], ""]) => {
      this.#known = new Set([...commands, "help"]);
    });
    // In place of moleculer-repl's own, which does not wait for what still runs.
    server.removeAllListeners("exit");
    server.on("exit", () => void this.#last.then(() => this.leave()));
    server.on("history", forgetSecrets);
  }

  /** Stops the broker, which closes the database, and ends the process. */
  async leave(): Promise<void> {
    if (this.#isLeaving) return;
    this.#isLeaving = true;
    await this.#broker.stop();
    process.exit(this.#hasFailed && !this.#isTerminal ? 1 : 0);
  }

  #startServer(): REPLServer {
    return startRepl(this.#broker, {
      delimiter: PROMPT,
      customCommands: this.#groups().map((group) => ({
        command: group,
        description: describeGroup(this.#inGroup(group)),
        alias: null,
        allowUnknownOptions: true,
        options: [],
        // Its words are read where the line is: see #runLine.
        parse: () => undefined,
        action: () => this.#runCommand(),
      })),
    });
  }

  /** The first words of the operators' commands: `keys` of `keys create`. */
  #groups(): string[] {
    return [...new Set(this.#commands.map(({ name }) => groupOf(name)))];
  }

  #inGroup(group: string): Command[] {
    return this.#commands.filter(({ name }) => groupOf(name) === group);
  }

  /** @param runStock has moleculer-repl run the line; it comes back to #runCommand for the operators' commands */
  async #runLine(line: string, runStock: () => Promise<void>): Promise<void> {
    try {
      this.#words = splitWords(line);
      const [first = ""] = this.#words;
      const help = this.#helpAskedFor();
      if (first === "") return;
      if (help !== undefined) print(help);
      else if (leaveWords.has(first)) await this.leave();
      else if (first === "env") print(summarizeConfig().join("\n"));
      else if (callWords.has(first)) print((await runCall(this.#broker, this.#words)).join("\n"));
      else if (this.#known.has(first)) await runStock();
      else throw new UsageError(`There is no command ${printable(first)}; \`help\` lists them.`);
    } catch (error) {
      this.#complain(error);
    }
  }

  async #runCommand(): Promise<void> {
    try {
      const { command, given } = parseCommand(this.#inGroup(groupOf(this.#words.join(" "))), this.#words);
      printOutput(await command.run(this.#operator.call, given));
    } catch (error) {
      this.#complain(error);
    }
  }

  #helpAskedFor(): string | undefined {
    const [first = "", second] = this.#words;
    const isAsked = first === "help" || this.#words.some((word) => helpWords.has(word));
    const topic = first === "help" ? second : first;
    if (!isAsked || topic === undefined) return undefined;
    if (callWords.has(topic)) return callHelp;
    const commands = this.#inGroup(topic);
    return commands.length === 0 ? undefined : listCommands(commands);
  }

  #complain(error: unknown): void {
    this.#hasFailed = true;
    process.stderr.write(`${describeError(error)}\n`);
  }
}

function describeGroup(commands: readonly Command[]): string {
  const seconds = commands.map(({ name }) => name.split(" ").slice(1).join(" "));
  return seconds.every((word) => word === "")
    ? `${commands.map(({ help }) => help).join(". ")}.`
    : `Ours: ${seconds.join(", ")}.`;
}

function groupOf(name: string): string {
  return name.split(" ", 1).join();
}

function printOutput({ lines, remark }: CommandOutput): void {
  for (const line of lines) print(line);
  if (remark !== undefined) process.stderr.write(`${remark}\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Takes a line that may hold credentials out of the console's history, which is a file; the newest is first. */
export function forgetSecrets(history: string[]): void {
  if (HISTORY_KEEPS_OUT.test(history[0] ?? "")) history.shift();
}

/** The console prints its prompt as it starts, wherever that goes. */
function silently<Result>(work: () => Result): Result {
  const { write } = process.stdout;
  process.stdout.write = () => true;
  try {
    return work();
  } finally {
    process.stdout.write = write;
  }
}
