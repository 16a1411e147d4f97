import { type ChildProcess, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const GUARD = fileURLToPath(new URL("./mariadb-guard.ts", import.meta.url));

export interface MariaDbServer {
  /** Makes a new, empty database that nobody else is given. Returns its mysql:// URL, with account and password. */
  createDatabase(): Promise<string>;
  /** Ends the server's process and removes its folder. May be called more than once. */
  stop(): Promise<void>;
}

export interface OwnMariaDbOptions {
  /** false: a commit need not reach the disk. True unless told. */
  durable?: boolean;
}

/**
 * Starts a MariaDB server that is the caller's alone. It ends with stop(), or else when the caller's process
 * ends in whatever way; it does not keep that process alive.
 *
 * @throws Error with the end of the server's log, if it does not start.
 */
export async function startOwnMariaDb({ durable = true }: OwnMariaDbOptions = {}): Promise<MariaDbServer> {
  // detached: a Ctrl-C in the terminal is for the tests alone, and reaches the guard as their end.
  const guard = spawn(process.execPath, [GUARD, ...(durable ? [] : ["--not-durable"])], {
    detached: true,
    stdio: ["pipe", "pipe", "pipe"],
  });
  const exited = once(guard, "exit");
  // Read from the start: what nobody reads is gone with the process.
  const complaint = text(guard.stderr);
  const url = await Promise.race([firstLine(guard), exited.then(() => undefined)]);
  if (url === undefined) throw new Error(`No MariaDB server: ${await complaint}`);
  letGo(guard);
  return {
    createDatabase: () => createDatabase(url),
    async stop() {
      guard.ref();
      guard.stdin.destroy();
      await exited;
    },
  };
}

async function firstLine({ stdout }: { stdout: NodeJS.ReadableStream }): Promise<string> {
  const [line] = await once(createInterface(stdout), "line");
  return String(line);
}

/** Lets this process end while the guard runs: the pipe to it closes then, which ends it. */
function letGo(guard: ChildProcess): void {
  guard.unref();
  for (const pipe of guard.stdio) if (pipe instanceof Socket) pipe.unref();
}

async function createDatabase(serverUrl: string): Promise<string> {
  // Loaded here and not above, so that a run of unit tests does not pay for the client.
  const { createConnection } = await import("mysql2/promise");
  const name = `tests_${randomBytes(8).toString("hex")}`;
  const connection = await createConnection({ uri: serverUrl });
  try {
    await connection.query(`CREATE DATABASE ${name}`);
  } finally {
    await connection.end();
  }
  return new URL(name, serverUrl).href;
}
