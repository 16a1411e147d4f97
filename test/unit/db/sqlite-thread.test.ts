import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import BetterSqlite3 from "better-sqlite3";
import { SqliteThread } from "../../../db/sqlite-thread.ts";

let folder: string;
let file: string;
let thread: SqliteThread;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "sqlite-thread-"));
  file = join(folder, "t.sqlite");
  thread = new SqliteThread({ file, pragmas: ["foreign_keys = ON", "synchronous = FULL"] });
});

afterEach(async () => {
  await thread.close();
  await rm(folder, { recursive: true });
});

function createFile(): void {
  const database = new BetterSqlite3(file);
  database.exec("PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT)");
  database.close();
}

describe("a connection in a thread of its own", () => {
  beforeEach(createFile);

  test("answers queries with rows and statements with their number", async () => {
    const { sql } = thread;
    expect(await sql.execute("INSERT INTO t (text) VALUES (?), (?)", ["one", null])).toBe(2);
    expect(await sql.query("SELECT * FROM t WHERE id > ? ORDER BY id", [0])).toEqual([
      { id: 1, text: "one" },
      { id: 2, text: null },
    ]);
    expect(await sql.execute("DELETE FROM t")).toBe(2);
  });

  test("runs statements in the order in which they were given", async () => {
    const { sql } = thread;
    await Promise.all(
      Array.from({ length: 50 }, (_, n) => sql.execute("INSERT INTO t (text) VALUES (?)", [String(n)])),
    );
    const rows = await sql.query<{ text: string }>("SELECT text FROM t ORDER BY id");
    expect(rows.map(({ text }) => Number(text))).toEqual(Array.from({ length: 50 }, (_, n) => n));
  });

  test("keeps texts as they are", async () => {
    const text = "\u{1f600} é \\ ' \" ; -- \n\t \uffff ";
    await thread.sql.execute("INSERT INTO t (text) VALUES (?)", [text]);
    expect(await thread.sql.query("SELECT text FROM t")).toEqual([{ text }]);
  });

  test("tells an error with SQLite's code, and goes on", async () => {
    await thread.sql.execute("INSERT INTO t (id) VALUES (1)");
    await expect(thread.sql.execute("INSERT INTO t (id) VALUES (1)")).rejects.toMatchObject({
      code: "SQLITE_CONSTRAINT_PRIMARYKEY",
      message: "UNIQUE constraint failed: t.id",
    });
    expect(await thread.sql.query("SELECT id FROM t")).toEqual([{ id: 1 }]);
  });

  test("is told its pragmas, and waits for no lock by itself", async () => {
    const values = await Promise.all(
      ["foreign_keys", "synchronous", "busy_timeout"].map((name) => thread.sql.query(`PRAGMA ${name}`)),
    );
    expect(values.flat().map((row) => Object.values(Object(row))[0])).toEqual([1, 2, 0]);
  });

  test("prepares more different statements than it keeps", async () => {
    for (let n = 0; n < 450; n += 1) expect(await thread.sql.query(`SELECT ${n} AS n`)).toEqual([{ n }]);
    expect(await thread.sql.query("SELECT 0 AS n")).toEqual([{ n: 0 }]);
  });

  test("that is closed in a transaction leaves nothing of it, and no lock", async () => {
    await thread.sql.execute("BEGIN IMMEDIATE");
    await thread.sql.execute("INSERT INTO t (id) VALUES (7)");
    await thread.close();
    const database = new BetterSqlite3(file, { timeout: 0 });
    expect(database.prepare("SELECT * FROM t").all()).toEqual([]);
    database.prepare("INSERT INTO t (id) VALUES (8)").run();
    database.close();
  });

  test("that is closed tells those that still wait", async () => {
    await thread.sql.query("SELECT 1");
    const waiting = thread.sql.query(
      "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i FROM n LIMIT 300000",
    );
    const told = expect(waiting).rejects.toThrow();
    await thread.close();
    await told;
  });
});

describe("a thread that never had a statement", () => {
  test("is closed like any other", async () => {
    await expect(thread.close()).resolves.toBeUndefined();
  });
});

describe("a thread that cannot open the file", () => {
  test("tells everybody who waits", async () => {
    const settled = await Promise.allSettled([thread.sql.query("SELECT 1"), thread.sql.query("SELECT 2")]);
    expect(settled.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  });

  test("is followed by another, which its end does not disturb", async () => {
    await expect(thread.sql.query("SELECT 1")).rejects.toThrow();
    createFile();
    expect(await thread.sql.query("SELECT 1 AS one")).toEqual([{ one: 1 }]);
    expect(await thread.sql.query("SELECT 2 AS two")).toEqual([{ two: 2 }]);
  });
});
