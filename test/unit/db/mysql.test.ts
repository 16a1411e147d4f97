import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { type Database, type Transaction, UniqueViolation } from "../../../db/database.ts";
import { openMySql } from "../../../db/mysql.ts";
import { ServiceError } from "../../../lib/errors.ts";
import { describeMariaDb, startMariaDb } from "../../support/mariadb.ts";
import { waitFor } from "../../support/wait-for.ts";

const unavailable = expect.objectContaining({ errorCode: "unavailable", retryAfterSeconds: 1 });

/** More than the pool has connections. */
const MANY = Array.from({ length: 30 }, (_, n) => n);

describeMariaDb("a MariaDB database", () => {
  let url: string;
  let database: Database;

  beforeAll(async () => {
    url = await (await startMariaDb()).createDatabase();
    database = await openMySql(url);
  });
  afterAll(() => database.close());

  const put = (name: string, value: string) =>
    database.transaction((transaction) =>
      transaction.execute("INSERT INTO settings (name, value) VALUES (?, ?)", [name, value]),
    );

  async function readValue(sql: Pick<Transaction, "query">, name: string): Promise<string | undefined> {
    const [row] = await sql.query<{ value: string }>("SELECT value FROM settings WHERE name = ?", [name]);
    return row?.value;
  }

  const append = (transaction: Transaction, name: string, more: string) =>
    transaction.execute("UPDATE settings SET value = CONCAT(value, ?) WHERE name = ?", [more, name]);

  describe("each of its connections", () => {
    const session = `SELECT @@tx_isolation AS isolation, @@sql_mode AS mode, @@time_zone AS zone,
      @@character_set_client AS charset`;
    const expected = {
      isolation: "READ-COMMITTED",
      mode: "STRICT_ALL_TABLES,NO_ENGINE_SUBSTITUTION",
      // Where hours come twice a year, the database's clock would not tell one from the other.
      zone: "+00:00",
      charset: "utf8mb4",
    };

    test("is set up before it is used, for reads and transactions", async () => {
      const reads = MANY.map(() => database.read.query(session));
      const transactions = MANY.map(() => database.transaction((transaction) => transaction.query(session)));
      const rows = await Promise.all([...reads, ...transactions]);
      expect(rows).toEqual(rows.map(() => [expected]));
    });

    test("goes back to the pool, whatever becomes of the work", async () => {
      const asked = MANY.map((n) =>
        database.transaction(async () => {
          if (n % 2 === 0) throw new Error("mine");
        }),
      );
      const settled = await Promise.allSettled(asked);
      expect(settled.filter(({ status }) => status === "rejected")).toHaveLength(MANY.length / 2);
      expect(await Promise.all(MANY.map(() => database.read.query("SELECT 1 AS one")))).toHaveLength(
        MANY.length,
      );
    });

    test("has nothing of a rolled back transaction when it is used again", async () => {
      const fail = () =>
        database.transaction(async (transaction) => {
          await transaction.execute("INSERT INTO settings (name, value) VALUES ('gone', '1')");
          throw new Error("mine");
        });
      await Promise.allSettled(MANY.map(fail));
      const seen = await Promise.all(
        MANY.map(() => database.transaction((transaction) => readValue(transaction, "gone"))),
      );
      expect(seen).toEqual(MANY.map(() => undefined));
    });
  });

  test("lets a transaction see what others committed since it began", async () => {
    await database.transaction(async (transaction) => {
      expect(await readValue(transaction, "fresh")).toBeUndefined();
      await put("fresh", "1");
      expect(await readValue(transaction, "fresh")).toBe("1");
    });
  });

  test("refuses what does not fit a column, rather than to cut it", async () => {
    await expect(put("n".repeat(65), "1")).rejects.toMatchObject({ code: "ER_DATA_TOO_LONG" });
  });

  test("is opened by a mariadb:// URL too", async () => {
    const other = await openMySql(url.replace(/^mysql:/, "mariadb:"));
    await expect(other.ping()).resolves.toBeUndefined();
    await other.close();
  });

  describe("two transactions that stand in each other's way", () => {
    test("both succeed in the end, each once: the loser of a deadlock is tried again", async () => {
      await put("left", "");
      await put("right", "");
      const runs: string[] = [];
      const holds = { a: Promise.withResolvers<void>(), b: Promise.withResolvers<void>() };
      const change = (me: "a" | "b", other: "a" | "b", first: string, second: string) =>
        database.transaction(async (transaction) => {
          runs.push(me);
          await append(transaction, first, me);
          holds[me].resolve();
          await holds[other].promise;
          await append(transaction, second, me);
        });
      await Promise.all([change("a", "b", "left", "right"), change("b", "a", "right", "left")]);
      expect(runs).toHaveLength(3);
      const values = [await readValue(database.read, "left"), await readValue(database.read, "right")];
      expect(values.map((value) => value?.split("").sort().join(""))).toEqual(["ab", "ab"]);
    });

    test("for too long are not: the one that waits is told to try again, and runs once", async () => {
      await put("held", "");
      let runs = 0;
      const impatient = await openMySql(url);
      await database.transaction(async (holder) => {
        await append(holder, "held", "h");
        const waiting = impatient.transaction(async (transaction) => {
          runs += 1;
          await transaction.execute("SET SESSION innodb_lock_wait_timeout = 0");
          await append(transaction, "held", "w");
        });
        await expect(waiting).rejects.toEqual(unavailable);
      });
      await impatient.close();
      expect(runs).toBe(1);
      expect(await readValue(database.read, "held")).toBe("h");
    });

    test("and do so again and again are given up after six times", async () => {
      let runs = 0;
      const asked = database.transaction(async () => {
        runs += 1;
        throw Object.assign(new Error("Deadlock found"), { code: "ER_LOCK_DEADLOCK" });
      });
      await expect(asked).rejects.toEqual(unavailable);
      expect(runs).toBe(6);
    });
  });

  test.each([
    ["the work's own", () => new ServiceError("not_found", "No record with this id."), ServiceError],
    [
      "a unique violation",
      () => Object.assign(new Error("twice"), { code: "ER_DUP_ENTRY" }),
      UniqueViolation,
    ],
    ["a defect", () => new TypeError("undefined is not a function"), TypeError],
  ])("does not try again what failed for another reason: %s", async (_, error, kind) => {
    let runs = 0;
    const asked = database.transaction(async () => {
      runs += 1;
      throw error();
    });
    await expect(asked).rejects.toThrow(kind);
    expect(runs).toBe(1);
  });

  test("keeps others waiting for a row that is read for update, and no longer than its transaction", async () => {
    await put("locked", "");
    const order: string[] = [];
    const locked = Promise.withResolvers<void>();
    const first = database.transaction(async (transaction) => {
      await transaction.query("SELECT value FROM settings WHERE name = 'locked' FOR UPDATE");
      locked.resolve();
      await waitFor(isSomebodyWaiting, { what: "the second transaction to wait" });
      order.push("first");
    });
    await locked.promise;
    const second = database.transaction(async (transaction) => {
      await append(transaction, "locked", "2");
      order.push("second");
    });
    await Promise.all([first, second]);
    expect(order).toEqual(["first", "second"]);
  });

  async function isSomebodyWaiting(): Promise<boolean> {
    const rows = await database.read.query(
      "SELECT 1 FROM information_schema.processlist WHERE db = DATABASE() AND info LIKE 'UPDATE settings%'",
    );
    return rows.length > 0;
  }
});
