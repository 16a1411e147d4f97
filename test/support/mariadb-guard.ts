/**
 * A process of its own that runs one MariaDB server for the tests: it makes a private folder under the
 * system's temporary one, lays out the data there, starts the server and prints its URL as one line.
 *
 * It lives as long as its standard input is open. That end comes however the tests end, by SIGKILL too, so
 * neither server nor folder can outlive them.
 *
 * Usage: node mariadb-guard.ts [--not-durable]
 */
import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, open, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createConnection } from "mysql2/promise";
import { findMariaDb, type MariaDbBinaries } from "./mariadb-binaries.ts";
import { freePort } from "./ports.ts";
import { waitFor } from "./wait-for.ts";

const BOOT_TIMEOUT_MS = 25_000;
const LOG_TAIL_CHARS = 4000;

const asRoot = process.getuid?.() === 0;
const durable = !process.argv.includes("--not-durable");

const ended = new AbortController();
for (const event of ["end", "close", "error"]) process.stdin.on(event, () => ended.abort());
for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"]) process.on(signal, () => ended.abort());
process.stdin.resume();

const folder = await mkdtemp(join(tmpdir(), "mariadb-tests-"));
try {
  await serve(folder, ended.signal);
} catch (error) {
  if (!ended.signal.aborted) {
    const log = await readFile(join(folder, "error.log"), "utf8").catch(() => "");
    process.stderr.write(
      `${error instanceof Error ? error.message : error}\n${log.slice(-LOG_TAIL_CHARS)}\n`,
    );
    process.exitCode = 1;
  }
} finally {
  await rm(folder, { recursive: true, force: true, maxRetries: 3 });
}
process.exit();

/** Runs the server in the folder until the signal, or throws when it ends by itself or does not start. */
async function serve(folder: string, signal: AbortSignal): Promise<void> {
  const binaries = findMariaDb();
  if (binaries === undefined) throw new Error("No MariaDB server is installed here.");
  await layOut(folder, binaries);
  const password = randomBytes(12).toString("hex");
  await writeFile(join(folder, "init.sql"), accountStatements(password), { mode: 0o600 });
  const port = await freePort();
  signal.throwIfAborted();
  const server = spawn(binaries.server, serverOptions(folder, port), { stdio: "ignore" });
  const exit = once(server, "exit");
  const kill = () => server.kill("SIGKILL");
  signal.addEventListener("abort", kill);
  if (signal.aborted) kill();
  const url = `mysql://tests:${password}@127.0.0.1:${port}/`;
  try {
    await Promise.race([exit.then(stopped), answering(url)]);
    process.stdout.write(`${url}\n`);
    await exit.then(stopped);
  } finally {
    kill();
    await exit.catch(() => {});
  }
}

function stopped(): never {
  throw new Error("The MariaDB server has ended by itself.");
}

async function layOut(folder: string, { install }: MariaDbBinaries): Promise<void> {
  await mkdir(join(folder, "tmp"));
  const options = [
    "--no-defaults",
    `--datadir=${join(folder, "data")}`,
    `--tmpdir=${join(folder, "tmp")}`,
    "--auth-root-authentication-method=normal",
    "--skip-test-db",
    "--skip-name-resolve",
    "--force",
    // Spelled so that only the server reads it: told --user=…, the script changes the owner of a folder of the
    // machine's own MariaDB.
    ...(asRoot ? ["-uroot"] : []),
  ];
  await using log = await open(join(folder, "error.log"), "a");
  const [code] = await once(spawn(install, options, { stdio: ["ignore", log.fd, log.fd] }), "exit");
  if (code !== 0) throw new Error(`${install} has failed.`);
}

function serverOptions(folder: string, port: number): string[] {
  return [
    "--no-defaults",
    `--datadir=${join(folder, "data")}`,
    `--tmpdir=${join(folder, "tmp")}`,
    `--socket=${join(folder, "socket")}`,
    `--pid-file=${join(folder, "pid")}`,
    `--log-error=${join(folder, "error.log")}`,
    `--init-file=${join(folder, "init.sql")}`,
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    "--skip-name-resolve",
    "--skip-log-bin",
    "--max-allowed-packet=64M",
    "--innodb-buffer-pool-size=64M",
    `--innodb-flush-log-at-trx-commit=${durable ? 1 : 0}`,
    // As Debian's package sets them.
    "--character-set-server=utf8mb4",
    "--collation-server=utf8mb4_general_ci",
    ...(asRoot ? ["--user=root"] : []),
  ];
}

/** The one account that may come over TCP; root is left with the socket in the private folder. */
function accountStatements(password: string): string {
  return [
    "DROP USER IF EXISTS 'root'@'127.0.0.1';",
    `CREATE USER 'tests'@'127.0.0.1' IDENTIFIED BY '${password}';`,
    "GRANT ALL PRIVILEGES ON *.* TO 'tests'@'127.0.0.1';",
    "",
  ].join("\n");
}

async function answering(uri: string): Promise<void> {
  const connection = await waitFor(() => createConnection({ uri }), {
    timeoutMs: BOOT_TIMEOUT_MS,
    what: "the MariaDB server to answer",
  });
  await connection.end();
}
