import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import type { Database, Transaction } from "../../../db/database.ts";
import { openMySql } from "../../../db/mysql.ts";
import { describeMariaDb, startMariaDb, startOwnMariaDb } from "../../support/mariadb.ts";
import { freePort } from "../../support/ports.ts";
import { openTcpProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { waitFor } from "../../support/wait-for.ts";

const unavailable = expect.objectContaining({ errorCode: "unavailable", retryAfterSeconds: 1 });

const put = (name: string) => (transaction: Transaction) =>
  transaction.execute("INSERT INTO settings (name, value) VALUES (?, '1')", [name]);

async function names({ read }: Database): Promise<string[]> {
  const rows = await read.query<{ name: string }>("SELECT name FROM settings ORDER BY name");
  return rows.map(({ name }) => name);
}

function onPort(url: string, port: number): string {
  const moved = new URL(url);
  moved.port = String(port);
  return moved.href;
}

const answersAgain = (database: Database) =>
  waitFor(() => database.ping().then(() => true), { what: "the database to answer" });

describeMariaDb("a MariaDB server that cannot be reached", () => {
  test("refuses connections: the opening says so", async () => {
    await expect(openMySql(`mysql://u:p@127.0.0.1:${await freePort()}/name`)).rejects.toEqual(unavailable);
  });

  test("does not know the account: the opening says that, and not to try again", async () => {
    const { port } = new URL(await (await startMariaDb()).createDatabase());
    await expect(openMySql(`mysql://nobody:wrong@127.0.0.1:${port}/name`)).rejects.toMatchObject({
      code: "ER_ACCESS_DENIED_ERROR",
    });
  });
});

describeMariaDb("a MariaDB server that goes away while it is used", () => {
  let proxy: TcpProxy;
  let database: Database;
  let direct: Database;

  beforeEach(async () => {
    const url = await (await startMariaDb()).createDatabase();
    proxy = await openTcpProxy(Number(new URL(url).port));
    database = await openMySql(onPort(url, proxy.port));
    direct = await openMySql(url);
    await database.transaction(put("before"));
  });

  afterEach(async () => {
    await Promise.all([database.close(), direct.close()]);
    await proxy.close();
  });

  test("is 503 to reads and writes alike, and serves again when it is back", async () => {
    await proxy.cut();
    await expect(database.read.query("SELECT 1")).rejects.toEqual(unavailable);
    await expect(database.transaction(put("meanwhile"))).rejects.toEqual(unavailable);
    await expect(database.ping()).rejects.toEqual(unavailable);
    await proxy.restore();
    await answersAgain(database);
    await database.transaction(put("after"));
    expect(await names(database)).toEqual(["after", "before"]);
  });

  test("is 503 to many at once, and afterwards all of them are served", async () => {
    const many = Array.from({ length: 25 }, (_, n) => n);
    await Promise.all(many.map(() => database.read.query("SELECT 1")));
    await proxy.cut();
    const settled = await Promise.allSettled(many.map(() => database.read.query("SELECT 1")));
    expect(settled).toEqual(many.map(() => ({ status: "rejected", reason: unavailable })));
    await proxy.restore();
    await answersAgain(database);
    expect(await Promise.all(many.map((n) => database.read.query(`SELECT ${n} AS n`)))).toEqual(
      many.map((n) => [{ n }]),
    );
  });

  const ends: [string, (connectionId: number) => unknown][] = [
    ["the network drops it", () => proxy.drop()],
    ["the server kills it", (connectionId) => direct.read.execute(`KILL CONNECTION ${connectionId}`)],
  ];

  test.each(ends)(
    "leaves nothing of a transaction whose connection ends between two statements: %s",
    async (_, end) => {
      const asked = database.transaction(async (transaction) => {
        await put("first")(transaction);
        await end(await connectionOf(transaction));
        await waitFor(() => isLost(transaction), { what: "the connection's end" });
        await put("second")(transaction);
      });
      await expect(asked).rejects.toEqual(unavailable);
      expect(await names(database)).toEqual(["before"]);
    },
  );

  test.each(ends)("nor of one whose connection ends before its commit: %s", async (_, end) => {
    const asked = database.transaction(async (transaction) => {
      await put("first")(transaction);
      await end(await connectionOf(transaction));
    });
    await expect(asked).rejects.toEqual(unavailable);
    expect(await names(database)).toEqual(["before"]);
  });

  test.each(ends)("nor of one whose connection ends while a statement runs: %s", async (_, end) => {
    const asked = database.transaction(async (transaction) => {
      await put("first")(transaction);
      const connectionId = await connectionOf(transaction);
      const running = transaction.query("SELECT SLEEP(20)");
      running.catch(() => {});
      await waitFor(() => isRunning(connectionId), { what: "the statement to run" });
      await end(connectionId);
      await running;
    });
    await expect(asked).rejects.toEqual(unavailable);
    expect(await names(database)).toEqual(["before"]);
  });

  async function connectionOf(transaction: Transaction): Promise<number> {
    const [row] = await transaction.query<{ id: number }>("SELECT CONNECTION_ID() AS id");
    return row?.id ?? 0;
  }

  async function isRunning(connectionId: number): Promise<boolean> {
    const statement = "SELECT 1 FROM information_schema.processlist WHERE id = ? AND info LIKE '%SLEEP%'";
    return (await direct.read.query(statement, [connectionId])).length > 0;
  }

  const isLost = (transaction: Transaction) =>
    transaction.query("SELECT 1").then(
      () => false,
      () => true,
    );
});

describeMariaDb("a MariaDB server that is there and does not answer", () => {
  let proxy: TcpProxy;
  let database: Database;

  beforeEach(async () => {
    const url = await (await startMariaDb()).createDatabase();
    proxy = await openTcpProxy(Number(new URL(url).port));
    database = await openMySql(onPort(url, proxy.port));
    await Promise.all(Array.from({ length: 15 }, () => database.ping()));
  });

  afterEach(async () => {
    jest.useRealTimers();
    await database.close();
    await proxy.close();
  });

  /** Lets the statement's time pass. */
  async function passDeadline(): Promise<void> {
    await waitFor(() => jest.getTimerCount() > 0, { what: "the statement to be on its way" });
    jest.advanceTimersByTime(15_000);
  }

  test("is 503 after the deadline, its connection is given up, and others serve when it is back", async () => {
    jest.useFakeTimers({ doNotFake: ["Date", "nextTick", "performance", "queueMicrotask", "setImmediate"] });
    proxy.freeze();
    for (const asked of [() => database.read.query("SELECT 1"), () => database.transaction(put("frozen"))]) {
      const told = expect(asked()).rejects.toEqual(unavailable);
      await passDeadline();
      await told;
    }
    expect(jest.getTimerCount()).toBe(0);
    jest.useRealTimers();
    await proxy.restore();
    await answersAgain(database);
    await database.transaction(put("after"));
    expect(await names(database)).toEqual(["after"]);
  });
});

describeMariaDb("a MariaDB server that is shut down", () => {
  test("is 503 to all who wait for it and to all who come", async () => {
    const server = await startOwnMariaDb({ durable: false });
    const database = await openMySql(await server.createDatabase());
    await Promise.all(Array.from({ length: 10 }, () => database.read.query("SELECT SLEEP(0.01)")));
    const waiting = database.transaction((transaction) => transaction.query("SELECT SLEEP(20)"));
    const told = expect(waiting).rejects.toEqual(unavailable);
    await database.read.query("SHUTDOWN");
    await told;
    // It may answer some while it goes down; whom it refuses, on whichever connection, is told one thing.
    const errors: unknown[] = [];
    const refuse = (error: unknown) => errors.push(error) >= 12;
    await waitFor(() => database.ping().then(() => false, refuse), { what: "the server to be gone" });
    expect(errors).toEqual(errors.map(() => unavailable));
    await expect(database.transaction(put("late"))).rejects.toEqual(unavailable);
    await database.close();
    await server.stop();
  });
});
