import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir } from "node:fs/promises";
import { tmpdir } from "node:os";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, test } from "@jest/globals";
import { type Connection, createConnection, type RowDataPacket } from "mysql2/promise";
import { describeMariaDb, startMariaDb, startOwnMariaDb } from "../../support/mariadb.ts";
import { waitFor } from "../../support/wait-for.ts";

const MARIADB_SERVER = fileURLToPath(new URL("../../support/mariadb-server.ts", import.meta.url));

async function connected<T>(uri: string, use: (connection: Connection) => Promise<T>): Promise<T> {
  const connection = await createConnection({ uri });
  try {
    return await use(connection);
  } finally {
    await connection.end();
  }
}

function variable(uri: string, name: string): Promise<unknown> {
  return connected(uri, async (connection) => {
    const [rows] = await connection.query<RowDataPacket[]>(`SELECT @@${name} AS value`);
    return rows[0]?.value;
  });
}

function refusesConnections(uri: string): Promise<boolean> {
  return createConnection({ uri }).then(
    (connection) => connection.end().then(() => false),
    () => true,
  );
}

async function serverFolders(): Promise<string[]> {
  return (await readdir(tmpdir())).filter((name) => name.startsWith("mariadb-tests-"));
}

/** A process of its own that starts a server, prints a database's URL and then does nothing more. */
async function processWithServer(): Promise<{ owner: ChildProcess; url: string }> {
  const program = `
    import { startOwnMariaDb } from ${JSON.stringify(MARIADB_SERVER)};
    console.log(await (await startOwnMariaDb()).createDatabase());
    setInterval(() => {}, 60_000);`;
  const owner = spawn(process.execPath, ["--input-type=module", "--eval", program], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [url] = await once(createInterface(owner.stdout), "line");
  return { owner, url: String(url) };
}

describeMariaDb("the run's MariaDB server", () => {
  test("gives every caller an empty database of its own", async () => {
    const server = await startMariaDb();
    const [one, other] = await Promise.all([server.createDatabase(), server.createDatabase()]);
    expect(one).not.toBe(other);
    await connected(one, (connection) => connection.query("CREATE TABLE t (id INT PRIMARY KEY)"));
    const tables = await connected(other, async (connection) => (await connection.query("SHOW TABLES"))[0]);
    expect(tables).toEqual([]);
  });

  test("is one server for all, and stays when one caller is done", async () => {
    const first = await startMariaDb();
    const port = new URL(await first.createDatabase()).port;
    await first.stop();
    const url = await (await startMariaDb()).createDatabase();
    expect(new URL(url).port).toBe(port);
    expect(await refusesConnections(url)).toBe(false);
  });

  test("listens on 127.0.0.1 only, takes packets of 64 MiB and commits durably", async () => {
    const url = await (await startMariaDb()).createDatabase();
    expect(await variable(url, "bind_address")).toBe("127.0.0.1");
    expect(await variable(url, "max_allowed_packet")).toBe(64 * 1024 * 1024);
    expect(await variable(url, "innodb_flush_log_at_trx_commit")).toBe(1);
  });
});

describeMariaDb("a MariaDB server of one's own", () => {
  test("ends with stop(), which removes its folder", async () => {
    const server = await startOwnMariaDb({ durable: false });
    const url = await server.createDatabase();
    const folder = await variable(url, "datadir");
    expect(await variable(url, "innodb_flush_log_at_trx_commit")).toBe(0);
    await server.stop();
    await server.stop();
    expect(await refusesConnections(url)).toBe(true);
    expect((await serverFolders()).filter((name) => String(folder).includes(name))).toEqual([]);
  });

  test.each(["SIGINT", "SIGKILL"] as const)("does not outlive a process ended by %s", async (signal) => {
    const { owner, url } = await processWithServer();
    const folder = String(await variable(url, "datadir"));
    owner.kill(signal);
    await waitFor(() => refusesConnections(url), { what: "the server to be gone" });
    await waitFor(async () => (await serverFolders()).every((name) => !folder.includes(name)), {
      what: "the server's folder to be gone",
    });
  });
});
