import { expect } from "@jest/globals";
import { request, type Target } from "../../../support/http.ts";
import { waitFor } from "../../../support/wait-for.ts";
import type { CodeBlock, Step } from "./markdown.ts";
import { layOut, Mask } from "./masks.ts";
import type { TouredReceiver } from "./receiver.ts";
import { runInBash } from "./shell.ts";

/** The addresses that documents use. */
const SHOWN_URL = "http://127.0.0.1:3000";
const SHOWN_RECEIVER = "https://localhost:4443";

const PROMPT = "workspace-data $ ";

/** The program that a reader has before them. */
export interface TouredProgram extends Target {
  readonly dataDir: string;
  /** What it printed so far. */
  readonly stdout: () => string;
  /** The receiver beside it, which it may reach and whose certificate it trusts. */
  readonly receiver?: TouredReceiver;
}

/** An answer that a document shows without the command that leads to it, by the heading above it. */
export type Examples = Readonly<Record<string, (tour: Tour) => Promise<object>>>;

interface Kind {
  /** What all commands of such a block look like; lines that go on and comments aside. */
  readonly commands: RegExp;
  readonly follow: (tour: Tour, commands: string, shown: CodeBlock | undefined) => Promise<void>;
}

const kinds: readonly Kind[] = [
  { commands: /^(?:export |curl )/, follow: (tour, commands, shown) => tour.call(commands, shown) },
  { commands: /^npm run admin -- /, follow: (tour, commands) => tour.administer(commands) },
  { commands: /^npm (?:ci|start)$/, follow: (tour, _, shown) => tour.lookAtStart(shown) },
  { commands: /^npm run receiver\b/, follow: (tour, _, shown) => tour.lookAtReceiver(shown) },
  {
    commands: /^NODE_EXTRA_CA_CERTS=.* npm start$/,
    follow: (tour, commands) => tour.lookAtRestart(commands),
  },
];

/**
 * A reader who follows a document step by step, against a real process, and compares what comes with what is
 * shown. Their first start is the process's own.
 */
export class Tour {
  readonly #program: TouredProgram;
  readonly #examples: Examples;
  readonly #shown = new Mask();
  readonly #seen = new Mask();
  /** Variables that the reader has exported so far. */
  readonly #variables = new Map<string, string>();
  /** The ids in what the reader saw last, by prefix; the first of them where there were several. */
  readonly #lastIds = new Map<string, string>();

  constructor(program: TouredProgram, examples: Examples = {}) {
    this.#program = program;
    this.#examples = examples;
  }

  get program(): TouredProgram {
    return this.#program;
  }

  /** @throws Error where the commands fail, the answer is another, or nobody knows how to try the step */
  async follow({ commands, shown }: Step): Promise<void> {
    if (!commands && shown?.language === "console") return await this.typeIntoConsole(shown.text);
    if (!commands && shown?.language === "text") return await this.lookAtReceiver(shown);
    if (!commands) return await this.#lookUpExample(shown);
    const starts = commandsOf(commands.text);
    const kind = kinds.find((candidate) => starts.every((start) => candidate.commands.test(start)));
    if (!kind) throw new Error(`Nobody tries the commands at line ${commands.line}.`);
    await kind.follow(this, commands.text, shown);
  }

  /** Runs exports and calls. Calls must have their answer shown. */
  async call(commands: string, shown: CodeBlock | undefined): Promise<void> {
    const script = this.#filledIn(commands);
    const printed = await runInBash(script, Object.fromEntries(this.#variables));
    for (const [, name = "", value = ""] of script.matchAll(/^export (\w+)=(\S+)$/gm)) {
      this.#variables.set(name, value);
    }
    this.#note(printed);
    if (!shown && printed === "") return;
    expect(shown?.language).toBe("json");
    const seen = printed.replaceAll(this.#program.receiver?.url ?? SHOWN_RECEIVER, SHOWN_RECEIVER);
    expect(layOut(this.#seen.apply(seen))).toBe(layOut(this.#shown.apply(shown?.text ?? "")));
  }

  /** Runs the operator's commands, one by one: keys that they print work, unless they revoke them. */
  async administer(commands: string): Promise<void> {
    const keys = new Map<string, string>();
    const revoked = new Set<string>();
    for (const line of commands.split("\n")) {
      const script = this.#filledIn(line);
      const printed = await runInBash(script, { DATA_DIR: this.#program.dataDir });
      this.#note(printed);
      const id = /\bkey_\w+/.exec(printed)?.[0] ?? "";
      const key = /\bwds_[0-9A-Za-z]{40,}/.exec(printed)?.[0];
      if (key !== undefined) keys.set(key, id);
      if (script.includes("keys revoke")) revoked.add(id);
    }
    expect(keys.size).toBeGreaterThan(0);
    for (const [key, id] of keys) await this.#expectKey(key, revoked.has(id) ? 401 : 200);
  }

  /** What the first start printed is what the document shows of it. */
  async lookAtStart(shown: CodeBlock | undefined): Promise<void> {
    const url = `http://127.0.0.1:${this.#program.port}`;
    const printed = this.#seen.apply(this.#program.stdout()).replaceAll(url, SHOWN_URL);
    expect(printed).toContain(this.#shown.apply(shown?.text ?? "nothing"));
  }

  /** Feeds the lines behind the prompt to the operators' console; the others are what it prints. */
  async typeIntoConsole(session: string): Promise<void> {
    const lines = session.split("\n");
    const typed = lines.flatMap((line) => (line.startsWith(PROMPT) ? [line.slice(PROMPT.length)] : []));
    const script = `npm run --silent repl <<'TYPED'\n${[...typed, "quit"].join("\n")}\nTYPED`;
    const printed = await runInBash(script, { DATA_DIR: this.#program.dataDir });
    const shown = lines.filter((line) => !line.startsWith(PROMPT)).join("\n");
    expect(this.#seen.apply(printed).trimEnd()).toBe(this.#shown.apply(shown));
  }

  /** What the receiver printed, at its start or since, is what the document shows of it. */
  async lookAtReceiver(shown: CodeBlock | undefined): Promise<void> {
    const expected = this.#shown.apply(shown?.text ?? "nothing");
    const seen = () => this.#seen.apply(this.#receiverOutput());
    await waitFor(() => expect(seen()).toContain(expected) === undefined, {
      what: "the receiver to print what is shown",
    });
  }

  /** The service is told to trust the receiver as the receiver said; the program of the tour was started so. */
  async lookAtRestart(commands: string): Promise<void> {
    expect(this.#receiverOutput()).toContain(commands);
  }

  #receiverOutput(): string {
    const { receiver } = this.#program;
    if (!receiver) throw new Error("This tour has no receiver.");
    return receiver
      .stdout()
      .replaceAll(receiver.url, SHOWN_RECEIVER)
      .replaceAll(receiver.folder, ".receiver");
  }

  async #lookUpExample(shown: CodeBlock | undefined): Promise<void> {
    const example = this.#examples[shown?.heading ?? ""];
    if (!example) throw new Error(`Nobody checks what line ${shown?.line} shows.`);
    expect(shape(JSON.parse(shown?.text ?? ""))).toEqual(shape(await example(this)));
  }

  async #expectKey(key: string, status: number): Promise<void> {
    await waitFor(async () => (await request(this.#program, "GET", "/v1/data", { key })).status === status, {
      what: `the printed key to get ${status}`,
      timeoutMs: 6_000,
    });
  }

  /** The commands with this program's address, its key, and the ids that a reader would put in. */
  #filledIn(commands: string): string {
    return commands
      .replaceAll(SHOWN_URL, `http://127.0.0.1:${this.#program.port}`)
      .replaceAll(SHOWN_RECEIVER, this.#program.receiver?.url ?? SHOWN_RECEIVER)
      .replaceAll("wds_…", this.#program.key)
      .replaceAll(/\b([a-z]+)_…/g, (_, prefix: string) => this.#lastId(prefix))
      .replaceAll("<user id>", () => this.#lastId("usr"))
      .replaceAll("<key id>", () => this.#lastId("key"));
  }

  #lastId(prefix: string): string {
    const id = this.#lastIds.get(prefix);
    if (id === undefined) throw new Error(`No answer so far has shown an id that begins with ${prefix}_.`);
    return id;
  }

  #note(printed: string): void {
    const found = [...printed.matchAll(/\b([a-z]+)_[0-9A-Z]{26}\b/g)].reverse();
    for (const [id, prefix = ""] of found) this.#lastIds.set(prefix, id);
  }
}

/** Each command's first line, without comments. */
function commandsOf(script: string): string[] {
  return script
    .replaceAll(/\\\n/g, " ")
    .split("\n")
    .map((line) => line.replace(/\s+#.*$/, "").trim())
    .filter((line) => line !== "");
}

/** The names of an object's members, in order, and the types of their values. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shape);
  if (typeof value !== "object" || value === null) return typeof value;
  return Object.entries(value).map(([name, member]) => [name, shape(member)]);
}
