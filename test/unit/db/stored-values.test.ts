import { beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type Database, type Transaction, UniqueViolation } from "../../../db/database.ts";
import { compareCodePoints } from "../../../lib/compare-code-points.ts";
import { isStorable } from "../../../lib/validator.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

const put =
  (name: string, value = "1") =>
  (transaction: Transaction) =>
    transaction.execute("INSERT INTO settings (name, value) VALUES (?, ?)", [name, value]);

describeOnBothDatabases("texts", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  async function readValue(name: string): Promise<string | undefined> {
    const [row] = await database.read.query<{ value: string }>("SELECT value FROM settings WHERE name = ?", [
      name,
    ]);
    return row?.value;
  }

  /** Texts that this or that collation takes for each other. */
  const lookAlikes = [
    "a",
    "a ",
    " a",
    "A",
    "á",
    "a\u0301",
    "ａ",
    "a\t",
    "ss",
    "ß",
    "ſs",
    "i",
    "İ",
    "ı",
    "",
    " ",
  ];
  const anyText = fc.string({ unit: "binary", maxLength: 20 }).filter(isStorable);

  test("are the same only where their bytes are", async () => {
    await database.transaction(async (transaction) => {
      for (const name of lookAlikes) await put(name, `value of ${name}`)(transaction);
    });
    for (const name of lookAlikes) {
      expect(await readValue(name)).toBe(`value of ${name}`);
      await expect(database.transaction(put(name))).rejects.toThrow(UniqueViolation);
    }
  });

  test("stand in the order of their code points", async () => {
    const turningPoints = [
      "\u{1f600}",
      "\uff5e",
      "\ud7ff",
      "\ue000",
      "\uffff",
      "\u{10000}",
      "z",
      "Z",
      "é",
      "e\u0301",
    ];
    const prefixed = [...turningPoints, ...fc.sample(anyText, { numRuns: 200, seed: 1 })].map(
      (text) => `order ${text}`,
    );
    const names = [...new Set(prefixed)];
    await database.transaction(async (transaction) => {
      for (const name of names) await put(name)(transaction);
    });
    const ordered = await database.read.query<{ name: string }>(
      "SELECT name FROM settings WHERE name >= 'order ' AND name < 'order!' ORDER BY name",
    );
    expect(ordered.map(({ name }) => name)).toEqual(names.toSorted(compareCodePoints));
    const beyond = await database.read.query<{ name: string }>(
      "SELECT name FROM settings WHERE name > ? AND name < 'order!'",
      ["order \uff5e"],
    );
    expect(new Set(beyond.map(({ name }) => name))).toEqual(
      new Set(names.filter((name) => compareCodePoints(name, "order \uff5e") > 0)),
    );
  });

  test("come back as they were given, short and long", async () => {
    const long = "\u{1f600}".repeat(100_000);
    const texts = [
      "'\"\\`%_?;--\n\r\t\b\u001a\u007f\ufeff",
      "?",
      "trailing  ",
      "\u{10ffff}",
      long,
      ...fc.sample(anyText, 50),
    ];
    await database.transaction(async (transaction) => {
      for (const [n, text] of texts.entries()) {
        await transaction.execute(
          "INSERT INTO events (id, workspace_id, event, payload, created_at) VALUES (?, 'ws_1', 'e', ?, 1)",
          [`evt_${String(n).padStart(3, "0")}`, text],
        );
      }
    });
    const rows = await database.read.query<{ payload: string }>("SELECT payload FROM events ORDER BY id");
    expect(rows.map(({ payload }) => payload)).toEqual(texts);
  });

  test("as parameters are values and never SQL", async () => {
    const evil = "x'); DELETE FROM settings; --";
    await database.transaction(put(evil, "?"));
    expect(await readValue(evil)).toBe("?");
    expect(await readValue("x' OR '1'='1")).toBeUndefined();
  });
});

describeOnBothDatabases("numbers", (open) => {
  test("come back as numbers, as large as JavaScript counts, and null as null", async () => {
    const database = await open();
    const counts = [0, 1, -1, 1_763_000_000_123, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER];
    await database.transaction(async (transaction) => {
      for (const count of counts) {
        await transaction.execute("INSERT INTO workspaces (id, name, created_at) VALUES (?, 'W', ?)", [
          `ws_${count}`,
          count,
        ]);
      }
    });
    const rows = await database.read.query(
      "SELECT created_at AS n, NULL AS absent FROM workspaces ORDER BY created_at",
    );
    expect(rows).toEqual(counts.toSorted((a, b) => a - b).map((n) => ({ n, absent: null })));
  });
});
