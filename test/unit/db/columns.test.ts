import { describe, expect, test } from "@jest/globals";
import { columnTypes, mysqlCollation } from "../../../db/columns.ts";
import { MAX_ID_LENGTH } from "../../../lib/ids.ts";

describe("the collation that compares byte for byte", () => {
  test.each([
    ["10.6.23-MariaDB", "utf8mb4_nopad_bin"],
    ["10.11.6-MariaDB-0+deb12u1-log", "utf8mb4_nopad_bin"],
    ["12.0.2-MariaDB-ubu2404", "utf8mb4_nopad_bin"],
    ["8.0.42", "utf8mb4_0900_bin"],
    ["8.4.5-0ubuntu0.2", "utf8mb4_0900_bin"],
    ["9.3.0", "utf8mb4_0900_bin"],
  ])("of %s is %s", (version, collation) => {
    expect(mysqlCollation(version)).toBe(collation);
  });
});

describe("the column types", () => {
  const types = columnTypes("mysql", "utf8mb4_nopad_bin");

  test("of texts compare byte for byte on MariaDB, each of them", () => {
    for (const text of [types.id, types.string(64), types.longText]) {
      expect(text).toMatchObject({ charset: "utf8mb4", collation: "utf8mb4_nopad_bin" });
    }
  });

  test("have room for what they are for", () => {
    expect(types.id).toMatchObject({ type: "varchar", length: String(MAX_ID_LENGTH) });
    expect(types.string(255)).toMatchObject({ type: "varchar", length: "255" });
    // 16 MiB: a record has up to 64 KiB, and its words and events a multiple of that.
    expect(types.longText.type).toBe("mediumtext");
    expect(types.integer.type).toBe("bigint");
  });

  test("on SQLite have neither lengths nor collations: it compares bytes by itself", () => {
    const { id, string, longText, integer } = columnTypes("sqlite");
    expect([id, string(64), longText, integer]).toEqual([
      { type: "varchar" },
      { type: "varchar" },
      { type: "text" },
      { type: "bigint" },
    ]);
  });
});
