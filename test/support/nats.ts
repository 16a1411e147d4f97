import { spawn } from "node:child_process";
import { once } from "node:events";
import { Socket } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { describe, test } from "@jest/globals";
import { mariaDbSuiteMode } from "./mariadb.ts";
import { findNats } from "./nats-binary.ts";

const GUARD = fileURLToPath(new URL("./nats-guard.ts", import.meta.url));
const HOW_TO_GET_IT =
  "no NATS server is installed (apt-get install nats-server, or brew install nats-server)";

export interface NatsServer {
  /** nats://, with account and password. */
  readonly url: string;
  /** Ends the server's process and removes its folder. */
  stop(): Promise<void>;
}

/**
 * Starts a NATS server that is the caller's alone. It ends with stop(), or else when the caller's process ends
 * in whatever way; it does not keep that process alive.
 * @throws Error with the server's log, if it does not start
 */
export async function startNats(): Promise<NatsServer> {
  // detached: a Ctrl-C in the terminal is for the tests alone, and reaches the guard as their end.
  const guard = spawn(process.execPath, [GUARD], { detached: true, stdio: ["pipe", "pipe", "pipe"] });
  const exited = once(guard, "exit");
  const complaint = text(guard.stderr);
  const line = once(createInterface(guard.stdout), "line").then(([first]) => String(first));
  const url = await Promise.race([line, exited.then(() => undefined)]);
  if (url === undefined) throw new Error(`No NATS server: ${await complaint}`);
  guard.unref();
  for (const pipe of guard.stdio) if (pipe instanceof Socket) pipe.unref();
  return {
    url,
    async stop() {
      guard.ref();
      guard.stdin.destroy();
      await exited;
    },
  };
}

/**
 * describe() for a suite that needs a NATS server. Where none is installed, the suite is skipped with a line
 * that says how to get one; with CI=true it fails and says so.
 */
export function describeNats(name: string, suite: () => void): void {
  const mode = mariaDbSuiteMode(findNats() !== undefined, process.env.CI);
  if (mode === "run") {
    describe(name, suite);
  } else if (mode === "skip") {
    process.stderr.write(`Skipped "${name}": ${HOW_TO_GET_IT}.\n`);
    describe.skip(name, suite);
  } else {
    describe(name, () => {
      test("has a NATS server", () => {
        throw new Error(`CI is true, and ${HOW_TO_GET_IT}.`);
      });
    });
  }
}
