import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Database, Sql, SqlValue } from "../../../db/database.ts";
import { inChunks, insertRows } from "../../../db/insert-rows.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

const columns = ["name", "value"];

const rowsOf = (count: number): SqlValue[][] =>
  Array.from({ length: count }, (_, n) => [`n${String(n).padStart(4, "0")}`, `value ${n}`]);

/** What is said to a connection, and nothing else happens. */
function recording(): { sql: Sql; said: { statement: string; parameters: readonly SqlValue[] }[] } {
  const said: { statement: string; parameters: readonly SqlValue[] }[] = [];
  const sql: Sql = {
    dialect: "sqlite",
    query: async () => [],
    execute: async (statement, parameters = []) => {
      said.push({ statement: statement.trim(), parameters });
      return 0;
    },
  };
  return { sql, said };
}

describe("rows that are inserted", () => {
  test.each([0, 1, 7, 8, 9, 63, 64, 65, 511, 512, 513, 1_000])(
    "%i of them are all said, once and in order",
    async (count) => {
      const { sql, said } = recording();
      await insertRows(sql, "t", columns, rowsOf(count));
      expect(said.flatMap(({ parameters }) => parameters)).toEqual(rowsOf(count).flat());
      for (const { statement, parameters } of said) {
        expect(statement.match(/\?/g)).toHaveLength(parameters.length);
      }
    },
  );

  test("go in few statements, of few different sizes", async () => {
    const texts = new Set<string>();
    for (let count = 0; count <= 1_000; count += 37) {
      const { sql, said } = recording();
      await insertRows(sql, "t", columns, rowsOf(count));
      expect(said.length).toBeLessThanOrEqual(25);
      for (const { statement } of said) texts.add(statement);
    }
    expect(texts.size).toBeLessThanOrEqual(4);
  });

  test("stay below SQLite's 32,766 parameters a statement, with as many columns as any table has", async () => {
    const { sql, said } = recording();
    const wide = Array.from({ length: 1_000 }, () => Array(20).fill(1));
    await insertRows(sql, "t", Array(20).fill("c"), wide);
    expect(Math.max(...said.map(({ parameters }) => parameters.length))).toBeLessThan(32_766);
  });

  test("may have a last column that the database computes, another verb, and words behind the values", async () => {
    const { sql, said } = recording();
    await insertRows(sql, "t", ["a", "b", "at"], [["x", 1]], {
      expression: "now()",
      verb: "REPLACE",
      suffix: "RETURNING a",
    });
    expect(said).toEqual([
      { statement: "REPLACE INTO t (a, b, at) VALUES (?, ?, now()) RETURNING a", parameters: ["x", 1] },
    ]);
  });
});

describe("items in chunks", () => {
  test("are of the largest size that still fits, and in order", () => {
    const chunks = [
      ...inChunks(
        Array.from({ length: 150 }, (_, n) => n),
        [64, 8, 1],
      ),
    ];
    expect(chunks.map(({ length }) => length)).toEqual([64, 64, 8, 8, 1, 1, 1, 1, 1, 1]);
    expect(chunks.flat()).toEqual(Array.from({ length: 150 }, (_, n) => n));
  });

  test("are none where there is none", () => {
    expect([...inChunks([], [64, 8, 1])]).toEqual([]);
  });
});

describeOnBothDatabases("inserted rows", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });
  beforeEach(() => database.transaction((transaction) => transaction.execute("DELETE FROM settings")));

  const stored = () =>
    database.read.query<{ name: string; value: string }>("SELECT name, value FROM settings ORDER BY name");

  test.each([0, 1, 9, 65, 1_000])("are there, all %i of them", async (count) => {
    await database.transaction((transaction) => insertRows(transaction, "settings", columns, rowsOf(count)));
    expect((await stored()).map(({ name, value }) => [name, value])).toEqual(rowsOf(count));
  });

  test("are all taken back where one of them cannot be", async () => {
    const rows = [...rowsOf(600), ["n0000", "twice"]];
    await expect(
      database.transaction((transaction) => insertRows(transaction, "settings", columns, rows)),
    ).rejects.toThrow();
    expect(await stored()).toEqual([]);
  });

  test("have what the database computes, in every chunk", async () => {
    await database.transaction((transaction) =>
      insertRows(
        transaction,
        "settings",
        columns,
        rowsOf(75).map(([name = null]) => [name]),
        { expression: "UPPER('computed')" },
      ),
    );
    expect(new Set((await stored()).map(({ value }) => value))).toEqual(new Set(["COMPUTED"]));
  });
});
