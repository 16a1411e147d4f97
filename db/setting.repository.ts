import type { Sql, Transaction } from "./database.ts";

/** What the program remembers about the whole database; each has one owner. */
export type SettingName = "search.version" | "search.reindexed";

/** The value of a setting, or undefined where it was never written. */
export async function readSetting(sql: Sql, name: SettingName): Promise<string | undefined> {
  const [row] = await sql.query<{ value: string }>("SELECT value FROM settings WHERE name = ?", [name]);
  return row?.value;
}

/** Writes a setting, over what it had. */
export async function writeSetting(
  transaction: Transaction,
  name: SettingName,
  value: string,
): Promise<void> {
  await transaction.execute("REPLACE INTO settings (name, value) VALUES (?, ?)", [name, value]);
}
