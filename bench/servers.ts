/** Starts the servers that are compared, in their own process each, and asks them plain questions. */
import { readFileSync } from "node:fs";
import { createServer } from "node:net";
import { delimiter, join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { RequestSpec } from "./connection.ts";
import { Child, SERVER_CORE } from "./processes.ts";

/** `floor-fts` is the floor that also keeps a full-text table. */
export type ServerKind = "service" | "floor" | "floor-fts";

export interface StartOptions {
  /** Runs it on the servers' core, as all measured rows do. */
  pinned?: boolean;
  /** Starts the service as a user does; else its start script is run without npm before it. */
  throughNpm?: boolean;
}

export interface Answer {
  status: number;
  body: unknown;
}

export const PROJECT_DIR = fileURLToPath(new URL("..", import.meta.url));
export const API_KEY = "bench_key_that_only_the_benchmark_knows";

const FLOOR_PATH = fileURLToPath(new URL("floor.ts", import.meta.url));
/** Long enough for the floor to fill its full-text table from a million records. */
const READY_DEADLINE_MS = 180_000;
const READY_POLL_MS = 4;
const LOG_LINES = 20;
const IDLE_SAMPLE_MS = 250;
const IDLE_CPU_SHARE = 0.05;
const IDLE_DEADLINE_MS = 60_000;

export class Server {
  readonly kind: ServerKind;
  readonly child: Child;
  readonly port: number;
  readonly #logPath: string;

  private constructor(kind: ServerKind, child: Child, port: number, logPath: string) {
    this.kind = kind;
    this.child = child;
    this.port = port;
    this.#logPath = logPath;
  }

  /** Starts a server on this data folder and resolves once it is ready. Rejects with its last output. */
  static async start(kind: ServerKind, dataDir: string, options: StartOptions = {}): Promise<Server> {
    const port = await freePort();
    const logPath = join(dataDir, "..", `${kind}.log`);
    const { command, args } = commandOf(kind, options);
    const env = {
      PATH: `${join(PROJECT_DIR, "node_modules/.bin")}${delimiter}${process.env.PATH ?? ""}`,
      PORT: String(port),
      HOST: "127.0.0.1",
      DATA_DIR: dataDir,
      BOOTSTRAP_API_KEY: API_KEY,
      RATE_LIMIT_REQUESTS: "0",
    };
    const core = options.pinned ? SERVER_CORE : undefined;
    const child = new Child({ command, args, env, cwd: PROJECT_DIR, logPath, core });
    const server = new Server(kind, child, port, logPath);
    await server.#untilReady();
    return server;
  }

  async ask({ method, path, body }: RequestSpec): Promise<Answer> {
    const headers: Record<string, string> = { authorization: `Bearer ${API_KEY}` };
    if (body !== undefined) headers["content-type"] = "application/json";
    const answer = await fetch(`http://127.0.0.1:${this.port}${path}`, { method, headers, body });
    const text = await answer.text();
    return { status: answer.status, body: text === "" ? undefined : JSON.parse(text) };
  }

  /** Resolves once the server does nothing in the background, or to false when that takes too long. */
  async untilIdle(): Promise<boolean> {
    const deadline = Date.now() + IDLE_DEADLINE_MS;
    while (Date.now() < deadline) {
      const before = this.child.cpuMs();
      await sleep(IDLE_SAMPLE_MS);
      if (this.child.cpuMs() - before <= IDLE_SAMPLE_MS * IDLE_CPU_SHARE) return true;
    }
    return false;
  }

  /** The last lines that it wrote. */
  lastOutput(): string {
    return readFileSync(this.#logPath, "utf8").split("\n").slice(-LOG_LINES).join("\n");
  }

  end(): Promise<void> {
    return this.child.end();
  }

  async #untilReady(): Promise<void> {
    const deadline = Date.now() + READY_DEADLINE_MS;
    while (Date.now() < deadline && !this.child.exited) {
      const answer = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => undefined);
      if (answer?.status === 200) return;
      await sleep(READY_POLL_MS);
    }
    await this.end();
    throw new Error(`${this.kind} did not become ready; its output ends:\n${this.lastOutput()}`);
  }
}

function commandOf(kind: ServerKind, options: StartOptions): { command: string; args: string[] } {
  if (kind !== "service") {
    return { command: process.execPath, args: kind === "floor-fts" ? [FLOOR_PATH, "--fts"] : [FLOOR_PATH] };
  }
  if (options.throughNpm) return { command: "npm", args: ["start"] };
  const manifest = JSON.parse(readFileSync(join(PROJECT_DIR, "package.json"), "utf8"));
  return { command: "sh", args: ["-c", String(manifest.scripts.start)] };
}

/** A port that nothing listens on at the moment. */
async function freePort(): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const probe = createServer().once("error", reject);
  probe.listen(0, "127.0.0.1", () => {
    const address = probe.address();
    probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
  });
  return promise;
}
