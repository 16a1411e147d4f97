import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { childEnvironment, type Environment } from "./environment.ts";
import { waitFor } from "./wait-for.ts";

const root = path.resolve(import.meta.dirname, "../..");

export interface ReplOutput {
  readonly stdout: string;
  readonly stderr: string;
}

export interface ReplOutcome extends ReplOutput {
  /** The exit code, or null where a signal killed it. */
  readonly status: number | null;
}

/** A REPL process, as `npm run repl` starts it, whose input is a pipe. */
export interface ReplProcess {
  /** Runs the lines, and gives what they printed once the last of them is done. */
  run(...lines: string[]): Promise<ReplOutput>;
  /** Sends lines, and does not wait. */
  say(...lines: string[]): void;
  kill(signal: NodeJS.Signals): void;
  /** Ends the input, waits for the end of the process, and gives all that it printed. */
  end(): Promise<ReplOutcome>;
  /** Waits for the end of the process, with the input left open. */
  ended(): Promise<ReplOutcome>;
}

/** Starts a REPL process with these settings and a home of its own. End it when done. */
export async function startRepl(environment: Environment): Promise<ReplProcess> {
  const home = await mkdtemp(path.join(tmpdir(), "workspace-home-"));
  const child = await spawnRepl({ ...environment, HOME: home });
  const printed = { stdout: "", stderr: "" };
  child.stdout.setEncoding("utf8").on("data", (part) => {
    printed.stdout += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part) => {
    printed.stderr += part;
  });
  const closed = once(child, "close");
  const ended = async () => {
    await closed;
    await rm(home, { recursive: true, force: true });
    return { status: child.exitCode, ...printed };
  };
  const say = (...lines: string[]) => {
    child.stdin.write(lines.map((line) => `${line}\n`).join(""));
  };
  let runs = 0;
  return {
    say,
    run: async (...lines) => {
      const start = { stdout: printed.stdout.length, stderr: printed.stderr.length };
      // Lines run one after the other, so the complaint about this one comes behind all else.
      runs += 1;
      const complaint = `There is no command end-of-run-${runs}; \`help\` lists them.\n`;
      say(...lines, `end-of-run-${runs}`);
      await waitFor(() => child.exitCode !== null || printed.stderr.endsWith(complaint), {
        what: `the REPL to run ${lines.join("; ")}`,
        timeoutMs: 20_000,
      });
      const stderr = printed.stderr.slice(start.stderr);
      return { stdout: printed.stdout.slice(start.stdout), stderr: stderr.slice(0, -complaint.length) };
    },
    kill: (signal) => child.kill(signal),
    end: () => {
      child.stdin.end();
      return ended();
    },
    ended,
  };
}

async function spawnRepl(environment: Environment) {
  const manifest = JSON.parse(await readFile(path.join(root, "package.json"), "utf8"));
  const env = childEnvironment(environment);
  const ownPrograms = path.join(root, "node_modules/.bin");
  const child = spawn("sh", ["-c", `exec env ${manifest.scripts.repl}`], {
    cwd: root,
    env: { ...env, PATH: `${ownPrograms}${path.delimiter}${env.PATH ?? ""}` },
    stdio: ["pipe", "pipe", "pipe"],
  });
  // It may have ended before it has read everything.
  child.stdin.on("error", () => {});
  return child;
}

/** Runs a REPL process on these lines alone, as from a pipe that ends behind them. */
export async function runRepl(environment: Environment, ...lines: string[]): Promise<ReplOutcome> {
  const repl = await startRepl(environment);
  repl.say(...lines);
  return await repl.end();
}
