import type { REPLEval, REPLServer } from "node:repl";
import type { ServiceBroker } from "moleculer";
import startRepl from "moleculer-repl";
import { summarizeConfig } from "../lib/config.ts";
import { brokerInfo } from "./broker-info.ts";
import { runCall } from "./call-command.ts";
import type { Command, CommandOutput } from "./command.ts";
import { parseCommand, UsageError } from "./command-line.ts";
import { helpAskedFor } from "./console-help.ts";
import { forgetSecrets } from "./console-history.ts";
import { callWords, completions, groupOf, leaveWords, stockWords } from "./console-words.ts";
import { describeError } from "./describe-error.ts";
import type { Operator } from "./operator.ts";
import { printable } from "./table.ts";
import { splitWords } from "./words.ts";

const PROMPT = "workspace-data $ ";

/**
 * A console on the broker: the operators' commands, and those of moleculer-repl that look inside. `call` is ours,
 * since moleculer-repl's guesses at types (`--name 42` became a number) and prints stacks; so are `env` and
 * `info`, which would show secrets.
 *
 * Lines run one after the other, also where a pipe brings them all at once; then there is no prompt, and the
 * process ends with 1 where a command has failed.
 */
export class ReplSession {
  readonly #broker: ServiceBroker;
  readonly #commands: readonly Command[];
  readonly #operator: Operator;
  readonly #isTerminal = process.stdin.isTTY && process.stdout.isTTY;
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
    const stock = { eval: server.eval, completer: server.completer };
    const evaluate: REPLEval = (line, context, file, done) => {
      const runStock = () =>
        new Promise<void>((resolve) => stock.eval.call(server, line, context, file, () => resolve()));
      this.#last = this.#last.then(() => this.#runLine(line, runStock));
      void this.#last.then(() => done(null, undefined));
    };
    const complete: typeof stock.completer = (line, done) =>
      callWords.has(groupOf(line))
        ? stock.completer(line, done)
        : done(null, [completions(this.#commands, line), line]);
    Object.assign(server, { eval: evaluate, completer: complete, ignoreUndefined: true });
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
    return startRepl(this.#broker, { delimiter: PROMPT, customCommands: null });
  }

  /** @param runStock has moleculer-repl run the line */
  async #runLine(line: string, runStock: () => Promise<void>): Promise<void> {
    try {
      const words = splitWords(line);
      const [first = "", second = ""] = words;
      /** What the line is about. */
      const topic = first === "help" ? second : first;
      if (first === "") return;
      const help = helpAskedFor(this.#broker, this.#commands, words);
      const group = this.#commands.filter(({ name }) => groupOf(name) === first);
      if (help !== undefined) print(help);
      else if (leaveWords.has(first)) await this.leave();
      else if (first === "env") print(summarizeConfig().join("\n"));
      else if (first === "info") print(brokerInfo(this.#broker).join("\n"));
      else if (callWords.has(first)) print((await runCall(this.#broker, words)).join("\n"));
      else if (group.length > 0) await this.#runCommand(group, words);
      else if (stockWords.includes(topic)) await runStock();
      else throw new UsageError(`There is no command ${printable(topic)}; \`help\` lists them.`);
    } catch (error) {
      this.#hasFailed = true;
      process.stderr.write(`${describeError(error)}\n`);
    }
  }

  async #runCommand(group: readonly Command[], words: readonly string[]): Promise<void> {
    const { command, given } = parseCommand(group, words);
    printOutput(await command.run(this.#operator.call, given));
  }
}

function printOutput({ lines, remark }: CommandOutput): void {
  for (const line of lines) print(line);
  if (remark !== undefined) process.stderr.write(`${remark}\n`);
}

function print(text: string): void {
  process.stdout.write(`${text}\n`);
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
