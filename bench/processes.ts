/**
 * Child processes that are always ended. Each child leads a process group of its own, so that ending,
 * pausing and weighing it covers what it started too (a shell, npm), and Ctrl-C reaches the benchmark only.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { closeSync, openSync, readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";

/** The core that runs the server under test; the other one is the load generator's. */
export const SERVER_CORE = 0;
export const LOAD_CORE = 1;

const END_DEADLINE_MS = 20_000;

export interface ChildOptions {
  command: string;
  args: string[];
  env?: Record<string, string>;
  cwd?: string;
  /** Where its output goes; without a path it is dropped. */
  logPath?: string;
  /** Pins the child to one core where that is possible. */
  core?: number;
  /** Opens a message channel to the child. */
  messages?: boolean;
}

const running = new Set<Child>();
let ending = false;

/** Whether children can be pinned: it takes `taskset` and a second core. */
export const canPin: boolean =
  availableParallelism() > 1 && spawnSync("taskset", ["--version"], { stdio: "ignore" }).status === 0;

/** A started process and everything that it started. */
export class Child {
  readonly process: ChildProcess;
  readonly pid: number;
  #paused = false;

  /** Throws when everything is being ended. */
  constructor(options: ChildOptions) {
    if (ending) throw new Error("the benchmark is ending");
    const pinned = options.core !== undefined && canPin;
    const command = pinned ? "taskset" : options.command;
    const args = pinned ? ["-c", String(options.core), options.command, ...options.args] : options.args;
    const output = options.logPath === undefined ? "ignore" : openSync(options.logPath, "a");
    this.process = spawn(command, args, {
      cwd: options.cwd,
      env: { ...process.env, ...options.env },
      detached: true,
      stdio: options.messages ? ["ignore", output, output, "ipc"] : ["ignore", output, output],
    });
    if (typeof output === "number") closeSync(output);
    if (this.process.pid === undefined) throw new Error(`${command} could not be started`);
    this.pid = this.process.pid;
    running.add(this);
  }

  get exited(): boolean {
    return this.process.exitCode !== null || this.process.signalCode !== null;
  }

  /** Stops the group from running at all, so that an idle server takes nothing from the one measured. */
  pause(): void {
    if (this.#signal("SIGSTOP")) this.#paused = true;
  }

  resume(): void {
    if (this.#paused) this.#signal("SIGCONT");
    this.#paused = false;
  }

  /** Asks the group to end, waits until it is gone, and kills what is left after the deadline. */
  async end(): Promise<void> {
    this.resume();
    if (this.#alive()) this.#signal("SIGTERM");
    const deadline = Date.now() + END_DEADLINE_MS;
    while (this.#alive() && Date.now() < deadline) await sleep(10);
    if (this.#alive()) this.#signal("SIGKILL");
    running.delete(this);
  }

  /** Memory of the group in MiB as the system counts it (resident set), or undefined where it does not say. */
  residentMiB(): number | undefined {
    const sizes = groupMembers(this.pid).map(residentKiB);
    return sizes.length === 0 ? undefined : sizes.reduce((sum, size) => sum + size, 0) / 1024;
  }

  /** Processor time that the group has used, in milliseconds; 0 where the system does not say. */
  cpuMs(): number {
    return groupMembers(this.pid).reduce((sum, pid) => sum + cpuMs(pid), 0);
  }

  #alive(): boolean {
    return !this.exited || groupMembers(this.pid).length > 0;
  }

  #signal(signal: NodeJS.Signals): boolean {
    try {
      return process.kill(-this.pid, signal);
    } catch {
      return false; // nothing of the group is left
    }
  }
}

/** Ends every child that still runs, and lets none be started any more. */
export async function endForGood(): Promise<void> {
  ending = true;
  await endAll();
}

/** Ends every child that still runs. */
export async function endAll(): Promise<void> {
  await Promise.all([...running].map((child) => child.end()));
}

/** Processes of a group that are not yet dead, from /proc; empty on systems without it. */
function groupMembers(group: number): number[] {
  return idsIn("/proc").filter((pid) => {
    const stat = readProc(`/proc/${pid}/stat`);
    // The name stands in brackets and may hold blanks: the fields proper begin behind the last bracket.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    return fields[0] !== "Z" && Number(fields[2]) === group;
  });
}

function idsIn(directory: string): number[] {
  try {
    return readdirSync(directory).map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

/** All threads together. The scheduler counts in nanoseconds, where the process's own sum has ticks of 10 ms. */
function cpuMs(pid: number): number {
  const threads = idsIn(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readProc(`/proc/${pid}/task/${id}/schedstat`).split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

function residentKiB(pid: number): number {
  return Number(/^VmRSS:\s+(\d+)/m.exec(readProc(`/proc/${pid}/status`))?.[1] ?? 0);
}

function readProc(path: string): string {
  try {
    return readFileSync(path, "latin1");
  } catch {
    return ""; // it ended meanwhile
  }
}
