import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { childEnvironment, type Environment, TEST_SECRET_KEY } from "./environment.ts";
import { request, type Target } from "./http.ts";
import { freePort } from "./ports.ts";
import { waitFor } from "./wait-for.ts";

const root = path.resolve(import.meta.dirname, "../..");

/** The program as `npm start` runs it. */
export interface ProgramProcess extends Target {
  readonly child: ChildProcess;
  /** What it printed so far, to standard output and to standard error. */
  readonly stdout: () => string;
  readonly stderr: () => string;
  readonly dataDir: string;
  /** Resolves with the exit code once it has ended by itself, or null where a signal killed it. */
  readonly exited: Promise<number | null>;
  /** Sends a signal and waits for the end; gives the exit code. */
  stop(signal?: NodeJS.Signals): Promise<number | null>;
}

export interface ProcessOptions {
  readonly env?: Environment;
  /** A folder to keep; without it the process has one of its own, gone when it has stopped. */
  readonly dataDir?: string;
  /** Whether to wait until it can serve; where not, a test waits for what it expects. */
  readonly isReadyAwaited?: boolean;
}

/** Starts the program in a process of its own, by the command of `npm start`. Stop it when done. */
export async function startProcess({
  env = {},
  dataDir,
  isReadyAwaited = true,
}: ProcessOptions = {}): Promise<ProgramProcess> {
  const folder = dataDir ?? (await mkdtemp(path.join(tmpdir(), "workspace-data-")));
  const port = await freePort();
  // Only with a database of its own does the program make its secret key by itself.
  const secrets: Environment = env.DATABASE_URL === undefined ? {} : { SECRET_KEY: TEST_SECRET_KEY };
  const environment = { HOST: "127.0.0.1", PORT: String(port), DATA_DIR: folder, ...secrets, ...env };
  const child = await spawnStart(environment);
  const output = { stdout: "", stderr: "" };
  child.stdout?.setEncoding("utf8").on("data", (text) => {
    output.stdout += text;
  });
  child.stderr?.setEncoding("utf8").on("data", (text) => {
    output.stderr += text;
  });
  const exited = once(child, "close").then(() => child.exitCode);
  const stop = async (signal: NodeJS.Signals = "SIGTERM") => {
    child.kill(signal);
    const code = await exited;
    if (dataDir === undefined) await rm(folder, { recursive: true, force: true });
    return code;
  };
  if (isReadyAwaited) {
    await waitUntilReady(port, child, stop, () => output.stderr);
  }
  const key = /wds_[0-9A-Za-z]{40,}/.exec(output.stdout)?.[0] ?? env.BOOTSTRAP_API_KEY ?? "";
  return {
    child,
    port,
    key,
    dataDir: folder,
    exited,
    stop,
    stdout: () => output.stdout,
    stderr: () => output.stderr,
  };
}

async function spawnStart(environment: Environment): Promise<ChildProcess> {
  const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  const ownPrograms = path.join(root, "node_modules/.bin");
  const env = childEnvironment(environment);
  return spawn("sh", ["-c", manifest.scripts.start], {
    cwd: root,
    env: { ...env, PATH: `${ownPrograms}${path.delimiter}${env.PATH ?? ""}` },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

async function waitUntilReady(
  port: number,
  child: ChildProcess,
  stop: () => Promise<unknown>,
  stderr: () => string,
): Promise<void> {
  const isReady = async () => {
    if (child.exitCode !== null) return true;
    return (await request({ port, key: "" }, "GET", "/readyz", { key: null })).status === 200;
  };
  try {
    await waitFor(isReady, { what: "the program to be ready", timeoutMs: 20_000 });
    if (child.exitCode !== null) throw new Error(`The program ended with ${child.exitCode}: ${stderr()}`);
  } catch (error) {
    await stop();
    throw error;
  }
}
