import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import type { Database, SqlValue, Transaction } from "../../../db/database.ts";
import { openSqlite } from "../../../db/sqlite.ts";
import { waitFor } from "../../support/wait-for.ts";
import { arrivals } from "./support/arrivals.ts";
import { holdWriteLock, type LockHolder } from "./support/lock-holder.ts";

const unavailable = expect.objectContaining({ errorCode: "unavailable", retryAfterSeconds: 1 });

let folder: string;
let file: string;
let database: Database;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sqlite-"));
  file = join(folder, "t.sqlite");
  database = await openSqlite(file);
});

afterEach(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const put =
  (name: string, value = name) =>
  (transaction: Transaction) =>
    transaction.execute("INSERT INTO settings (name, value) VALUES (?, ?)", [name, value]);

/** The same in the thread of its own. */
const putLarge = (name: string) => async (transaction: Transaction) => {
  transaction.expectChanges(1_000_000);
  return await put(name)(transaction);
};

async function names(): Promise<string[]> {
  const rows = await database.read.query<{ name: string }>("SELECT name FROM settings ORDER BY name");
  return rows.map(({ name }) => name);
}

describe("the connections", () => {
  const names = ["journal_mode", "synchronous", "foreign_keys", "busy_timeout", "query_only"];

  async function pragmas(sql: Pick<Transaction, "query">): Promise<SqlValue[]> {
    const rows = await Promise.all(
      names.map((name) => sql.query<Record<string, SqlValue>>(`PRAGMA ${name}`)),
    );
    return rows.flatMap(([row]) => Object.values(row ?? {}));
  }

  test("that write are durable, check references and wait for no lock by themselves", async () => {
    expect(await database.transaction(pragmas)).toEqual(["wal", 2, 1, 0, 0]);
    const large = database.transaction(async (transaction) => {
      transaction.expectChanges(1_000_000);
      return await pragmas(transaction);
    });
    expect(await large).toEqual(["wal", 2, 1, 0, 0]);
  });

  test("that read cannot write", async () => {
    expect((await pragmas(database.read)).at(-1)).toBe(1);
    for (const write of [
      "INSERT INTO settings VALUES ('a', 'b')",
      "DELETE FROM settings",
      "DROP TABLE settings",
    ]) {
      await expect(database.read.execute(write)).rejects.toThrow(/readonly/);
    }
  });

  test("are still so when the file is opened again", async () => {
    await database.close();
    database = await openSqlite(file);
    expect(await database.transaction(pragmas)).toEqual(["wal", 2, 1, 0, 0]);
  });
});

describe("large writes", () => {
  test("are read as soon as they are committed, and see what quick ones committed", async () => {
    await database.transaction(put("a"));
    const seen = await database.transaction(async (transaction) => {
      await putLarge("b")(transaction);
      return await transaction.query<{ name: string }>("SELECT name FROM settings ORDER BY name");
    });
    expect(seen.map(({ name }) => name)).toEqual(["a", "b"]);
    expect(await names()).toEqual(["a", "b"]);
  });

  test("and quick ones take turns, in the order in which they were asked for", async () => {
    const work = Array.from({ length: 30 }, (_, n) => `${n}`.padStart(2, "0"));
    const written: string[] = [];
    await Promise.all(
      work.map((name, n) =>
        database.transaction(async (transaction) => {
          await (n % 3 === 0 ? putLarge(name) : put(name))(transaction);
          written.push(name);
        }),
      ),
    );
    expect(await names()).toEqual(work);
    expect(written).toHaveLength(30);
  });
});

describe("while another process holds the write lock", () => {
  let holder: LockHolder;

  beforeEach(async () => {
    holder = await holdWriteLock(file);
  });
  afterEach(() => holder.release());

  test.each([
    ["writes", put],
    ["large writes", putLarge],
  ])("%s wait without holding the process, and succeed when it ends", async (_, work) => {
    const asked = ["a", "b"].map((name) => database.transaction(work(name)));
    const told = arrivals(asked);
    let turns = 0;
    await waitFor(
      async () => {
        expect(await names()).toEqual([]);
        turns += 1;
        return turns > 10;
      },
      { what: "reads to go on" },
    );
    expect(told).toEqual([]);
    await holder.release();
    await Promise.all(asked);
    expect(await names()).toEqual(["a", "b", "holder"]);
  });

  test("a write sees what that one committed: it begins afterwards", async () => {
    const asked = database.transaction((transaction) => transaction.query("SELECT value FROM settings"));
    await holder.release();
    expect(await asked).toEqual([{ value: "was here" }]);
  });

  test("and does not end, writes are told to try again, and nothing of them is left", async () => {
    const impatient = await openSqlite(file, { lockTimeoutMs: 20 });
    await expect(impatient.transaction(put("a"))).rejects.toEqual(unavailable);
    await expect(impatient.transaction(putLarge("b"))).rejects.toEqual(unavailable);
    await expect(impatient.ping()).resolves.toBeUndefined();
    await holder.release();
    expect(await impatient.transaction(put("c"))).toBe(1);
    await impatient.close();
    expect(await names()).toEqual(["c", "holder"]);
  });
});

describe("a full disk", () => {
  /** Lets the file grow by so many pages and no more; that is the writing connection's own matter. */
  async function limitGrowth(pages: number): Promise<void> {
    await database.transaction(async (transaction) => {
      const [row] = await transaction.query<{ page_count: number }>("PRAGMA page_count");
      await transaction.query(`PRAGMA max_page_count = ${(row?.page_count ?? 0) + pages}`);
    });
  }

  test("fails every write of the group, for SQLite gives up their common transaction", async () => {
    await limitGrowth(2);
    const settled = await Promise.allSettled([
      database.transaction(put("before")),
      database.transaction(put("huge", "x".repeat(1_000_000))),
      database.transaction(put("after")),
    ]);
    expect(settled).toEqual(Array(3).fill({ status: "rejected", reason: unavailable }));
    expect(await names()).toEqual([]);
  });

  test("is over when there is room again", async () => {
    await limitGrowth(2);
    await expect(database.transaction(put("huge", "x".repeat(1_000_000)))).rejects.toEqual(unavailable);
    expect(await database.transaction(put("small"))).toBe(1);
    await limitGrowth(1_000_000);
    expect(await database.transaction(put("huge", "x".repeat(1_000_000)))).toBe(1);
    expect(await names()).toEqual(["huge", "small"]);
  });
});

describe("a database that is closed", () => {
  test("has finished what was asked of it before", async () => {
    const told = arrivals([
      ...["a", "b"].map((name) => database.transaction(put(name))),
      database.transaction(putLarge("c")),
    ]);
    await database.close();
    expect(told).toEqual([1, 1, 1]);
    database = await openSqlite(file);
    expect(await names()).toEqual(["a", "b", "c"]);
  });

  test("takes no more", async () => {
    await database.close();
    await expect(database.transaction(put("a"))).rejects.toThrow();
    await expect(database.read.query("SELECT 1")).rejects.toThrow();
    database = await openSqlite(file);
    expect(await names()).toEqual([]);
  });
});
