import type { Sql, Transaction } from "./database.ts";
import { dialectSql } from "./dialect.ts";

/** What the program remembers about the whole database; each has one owner. */
export type SettingName =
  | "search.version"
  | "search.reindexed"
  | "users.search.version"
  | "users.search.reindexed"
  | "workspaces.first"
  | "secrets.key";

/** The value of a setting, or undefined where it was never written. */
export async function readSetting(sql: Sql, name: SettingName): Promise<string | undefined> {
  return await readLocked(sql, name, "");
}

/** The same, and nobody can change it until the transaction ends; several may hold it so at once. */
export async function readSettingForShare(
  transaction: Transaction,
  name: SettingName,
): Promise<string | undefined> {
  return await readLocked(transaction, name, dialectSql[transaction.dialect].forShare);
}

/** The same for who is about to change it: one alone holds it so. */
export async function readSettingForUpdate(
  transaction: Transaction,
  name: SettingName,
): Promise<string | undefined> {
  return await readLocked(transaction, name, dialectSql[transaction.dialect].forUpdate);
}

async function readLocked(sql: Sql, name: SettingName, lock: string): Promise<string | undefined> {
  const [row] = await sql.query<{ value: string }>(`SELECT value FROM settings WHERE name = ? ${lock}`, [
    name,
  ]);
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

/**
 * Writes a setting that nobody wrote before. Of several transactions that claim it at once the others wait
 * for the first: it is committed, or it failed, when this returns.
 * @returns false where the setting was there
 */
export async function claimSetting(
  transaction: Transaction,
  name: SettingName,
  value: string,
): Promise<boolean> {
  const { insertIgnore } = dialectSql[transaction.dialect];
  const inserted = await transaction.execute(`${insertIgnore} INTO settings (name, value) VALUES (?, ?)`, [
    name,
    value,
  ]);
  return inserted === 1;
}
