import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface, type Interface } from "node:readline";
import { createConnection } from "mysql2/promise";
import { findMariaDb, type MariaDbBinaries } from "./mariadb-binaries.ts";
import { freePort } from "./ports.ts";
import { waitFor } from "./wait-for.ts";

/**
 * Starts the server that its arguments name, at each line that says so, and prints the process's id. When its
 * standard input ends, which it does however the tests end, it kills the server and removes the folder.
 */
const KEEPER = `
folder=$1; shift; server=
while read -r line; do "$@" >"$folder/output" 2>&1 & server=$!; echo $server; done
[ -z "$server" ] || kill -9 $server; wait; rm -rf "$folder"
`;

const isRoot = process.getuid?.() === 0;
const BOOT_TIMEOUT_MS = 25_000;

/** A MariaDB server of the test's own that can be hurt, with commits that are durable. */
export class FragileMariaDb {
  /** mysql:// URL of an empty database on it. */
  readonly databaseUrl: string;
  readonly #keeper: ChildProcess;
  readonly #lines: Interface;
  #pid = 0;

  private constructor(keeper: ChildProcess, lines: Interface, databaseUrl: string) {
    this.#keeper = keeper;
    this.#lines = lines;
    this.databaseUrl = databaseUrl;
  }

  /** @throws Error where no server is installed, or it does not start */
  static async start(): Promise<FragileMariaDb> {
    const binaries = findMariaDb();
    if (!binaries) throw new Error("No MariaDB server is installed here.");
    const folder = await mkdtemp(path.join(tmpdir(), "mariadb-fragile-"));
    await layOut(folder, binaries);
    const port = await freePort();
    const words = [KEEPER, "sh", folder, binaries.server, ...serverOptions(folder, port)];
    const keeper = spawn("sh", ["-c", ...words], { detached: true, stdio: ["pipe", "pipe", "ignore"] });
    const url = `mysql://tests:tests@127.0.0.1:${port}/tests`;
    const server = new FragileMariaDb(keeper, createInterface(keeper.stdout), url);
    await server.revive();
    return server;
  }

  /** Starts the server on the data that it left, and waits until it answers. */
  async revive(): Promise<void> {
    const told = once(this.#lines, "line");
    this.#keeper.stdin?.write("start\n");
    this.#pid = Number((await told)[0]);
    const answers = async () => (await createConnection({ uri: this.databaseUrl })).end().then(() => true);
    await waitFor(answers, { what: "the MariaDB server to answer", timeoutMs: BOOT_TIMEOUT_MS });
  }

  /** Stops it in the middle of what it does; connections stay open, and nobody answers. */
  pause(): void {
    process.kill(this.#pid, "SIGSTOP");
  }

  resume(): void {
    process.kill(this.#pid, "SIGCONT");
  }

  /** Ends it in the middle of what it does. */
  kill(): void {
    process.kill(this.#pid, "SIGKILL");
  }

  /** Ends it and removes its folder. */
  async stop(): Promise<void> {
    const exited = once(this.#keeper, "exit");
    this.#keeper.stdin?.end();
    await exited;
  }
}

async function layOut(folder: string, { install }: MariaDbBinaries): Promise<void> {
  await mkdir(path.join(folder, "tmp"));
  await writeFile(path.join(folder, "init.sql"), accountStatements.join("\n"));
  // The account of the system is spelt so that only the server reads it: told --user=…, the script changes the
  // owner of a folder of the machine's own MariaDB.
  const options = [...placeOptions(folder), "--skip-test-db", "--force", ...(isRoot ? ["-uroot"] : [])];
  const [code] = await once(spawn(install, options, { stdio: "ignore" }), "exit");
  if (code !== 0) throw new Error(`${install} has failed.`);
}

const accountStatements = [
  "CREATE DATABASE IF NOT EXISTS tests;",
  "CREATE USER IF NOT EXISTS 'tests'@'127.0.0.1' IDENTIFIED BY 'tests';",
  "GRANT ALL PRIVILEGES ON tests.* TO 'tests'@'127.0.0.1';",
  "",
];

function placeOptions(folder: string): string[] {
  return ["--no-defaults", `--datadir=${path.join(folder, "data")}`, `--tmpdir=${path.join(folder, "tmp")}`];
}

function serverOptions(folder: string, port: number): string[] {
  return [
    ...placeOptions(folder),
    `--socket=${path.join(folder, "socket")}`,
    `--pid-file=${path.join(folder, "pid")}`,
    `--init-file=${path.join(folder, "init.sql")}`,
    "--bind-address=127.0.0.1",
    `--port=${port}`,
    "--skip-name-resolve",
    "--skip-log-bin",
    "--innodb-buffer-pool-size=64M",
    "--innodb-flush-log-at-trx-commit=1",
    ...(isRoot ? ["--user=root"] : []),
  ];
}
