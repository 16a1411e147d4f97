import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../db/database.ts";
import { placeholders, rowPlaceholders } from "../../../db/database.ts";
import { dialectSql } from "../../../db/dialect.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

describeOnBothDatabases("the dialect", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
    await database.transaction(async (transaction) => {
      for (const [name, value] of [
        ["a", "1"],
        ["b", "1"],
        ["c", "2"],
        ["d", "2"],
        ["e", "3"],
      ] as const) {
        await transaction.execute("INSERT INTO settings (name, value) VALUES (?, ?)", [name, value]);
      }
    });
  });

  const sql = () => dialectSql[database.dialect];

  async function names(rest: string, parameters: (string | number)[] = []): Promise<string[]> {
    const rows = await database.read.query<{ name: string }>(`SELECT name FROM settings ${rest}`, parameters);
    return rows.map(({ name }) => name);
  }

  test("reads the database's own clock, in milliseconds", async () => {
    const beforeMs = Date.now();
    const [row] = await database.read.query<{ now: number }>(`SELECT ${sql().nowMs} AS now`);
    // On one host both clocks are one; SQLite's loses up to a millisecond in its seconds' fraction.
    expect(row?.now).toBeGreaterThanOrEqual(beforeMs - 1);
    expect(row?.now).toBeLessThanOrEqual(Date.now());
    expect(Number.isInteger(row?.now)).toBe(true);
  });

  test("finds what comes after or before a pair of values", async () => {
    const beyond = (comparison: ">" | "<", value: string, name: string) =>
      names(
        `WHERE ${sql().beyond(["value", "name"], comparison)} ORDER BY value, name`,
        sql().beyondValues(value, name),
      );
    expect(await beyond(">", "1", "b")).toEqual(["c", "d", "e"]);
    expect(await beyond(">", "2", "c")).toEqual(["d", "e"]);
    expect(await beyond("<", "2", "d")).toEqual(["a", "b", "c"]);
    expect(await beyond("<", "1", "a")).toEqual([]);
    expect(await beyond(">", "2", "")).toEqual(["c", "d", "e"]);
  });

  test("leaves a row alone that is already there, and says so", async () => {
    const counts = await database.transaction(async (transaction) => [
      await transaction.execute(`${sql().insertIgnore} INTO settings (name, value) VALUES ('a', 'other')`),
      await transaction.execute(`${sql().insertIgnore} INTO settings (name, value) VALUES ('f', '4')`),
      await transaction.execute("DELETE FROM settings WHERE name = 'f'"),
    ]);
    expect(counts).toEqual([0, 1, 1]);
    expect(await names("WHERE value = 'other'")).toEqual([]);
  });

  test("adds to a number that is already there", async () => {
    const add = (count: number) =>
      database.transaction((transaction) =>
        transaction.execute(
          `INSERT INTO record_counts (workspace_id, type, status, slot, count) VALUES ('ws_1', 't', 's', 1, ?)
           ${sql().addOnConflict(["workspace_id", "type", "status", "slot"], "count")}`,
          [count],
        ),
      );
    for (const count of [5, 3, -1]) await add(count);
    expect(await database.read.query("SELECT count FROM record_counts")).toEqual([{ count: 7 }]);
  });

  test("walks the index that it is told", async () => {
    expect(await names(`${sql().usePrimaryKey("settings")} WHERE name > ? ORDER BY name`, ["c"])).toEqual([
      "d",
      "e",
    ]);
    const rows = await database.read.query(
      `SELECT id FROM records ${sql().useIndex("records_name")} WHERE workspace_id = 'ws_1' AND status = 'active' ORDER BY name, id`,
    );
    expect(rows).toEqual([]);
    await expect(
      database.read.query(
        `SELECT id FROM records ${sql().useIndex("records_nosuch")} WHERE status = 'active'`,
      ),
    ).rejects.toThrow();
  });

  test("merges ordered branches and cuts them at the limit", async () => {
    const branch = (value: string) =>
      sql().mergeBranch(`SELECT name FROM settings WHERE value = '${value}'`, "ORDER BY name", 2);
    const rows = await database.read.query<{ name: string }>(
      `${["1", "2", "3"].map(branch).join(" UNION ALL ")} ORDER BY name LIMIT 3`,
    );
    expect(rows.map(({ name }) => name)).toEqual(["a", "b", "c"]);
  });
});

describe("placeholders", () => {
  test("are as many as the parameters", () => {
    expect([0, 1, 3].map(placeholders)).toEqual(["", "?", "?, ?, ?"]);
    expect(rowPlaceholders(2, 3)).toBe("(?, ?, ?), (?, ?, ?)");
  });
});
