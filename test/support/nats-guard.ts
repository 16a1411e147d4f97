/**
 * A process of its own that runs one NATS server for the tests, in a private folder and on a port of its own,
 * and prints its URL as one line. It lives as long as its standard input is open. That end comes however the
 * tests end, by SIGKILL too, so neither server nor folder can outlive them.
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findNats } from "./nats-binary.ts";
import { freePort } from "./ports.ts";
import { waitFor } from "./wait-for.ts";

const ended = new AbortController();
for (const event of ["end", "close", "error"]) process.stdin.on(event, () => ended.abort());
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => ended.abort());
process.stdin.resume();

const folder = await mkdtemp(join(tmpdir(), "nats-tests-"));
try {
  await serve(ended.signal);
} catch (error) {
  if (!ended.signal.aborted) {
    const log = await readFile(join(folder, "log"), "utf8").catch(() => "");
    process.stderr.write(`${error instanceof Error ? error.message : error}\n${log}\n`);
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
process.exit();

/** Runs the server until the signal, or throws when it ends by itself or does not start. */
async function serve(signal: AbortSignal): Promise<void> {
  const program = findNats();
  if (program === undefined) throw new Error("No NATS server is installed here.");
  const port = await freePort();
  const password = randomBytes(12).toString("hex");
  const settings = join(folder, "nats.conf");
  await writeFile(settings, settingsText(port, password), { mode: 0o600 });
  signal.throwIfAborted();
  const server = spawn(program, ["--config", settings], { stdio: "ignore" });
  const exit = once(server, "exit").then(() => {
    throw new Error("The NATS server has ended by itself.");
  });
  const kill = () => server.kill("SIGKILL");
  signal.addEventListener("abort", kill);
  if (signal.aborted) kill();
  try {
    await Promise.race([exit, waitFor(() => greets(port), { what: "the NATS server to answer" })]);
    process.stdout.write(`nats://tests:${password}@127.0.0.1:${port}\n`);
    await exit;
  } finally {
    kill();
  }
}

/** Messages as large as the interface's largest bodies pass. */
function settingsText(port: number, password: string): string {
  return `
host: "127.0.0.1"
port: ${port}
max_payload: 8MB
log_file: "${join(folder, "log")}"
authorization { user: tests, password: "${password}" }
`;
}

/** Whether the server says its first line to whoever connects. */
async function greets(port: number): Promise<boolean> {
  const socket = connect(port, "127.0.0.1");
  try {
    const [greeting] = await once(socket, "data");
    return String(greeting).startsWith("INFO ");
  } finally {
    socket.destroy();
  }
}
