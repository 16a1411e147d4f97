import { mkdir, open } from "node:fs/promises";
import path from "node:path";
import type { Config } from "../lib/config.ts";
import type { Database } from "./database.ts";
import { openMySql } from "./mysql.ts";
import { openSqlite } from "./sqlite.ts";

const SQLITE_FILE = "workspace-data.sqlite";

/** Opens the database that the configuration names, migrated and ready. */
export async function openDatabase({ databaseUrl, dataDir }: Config["storage"]): Promise<Database> {
  if (databaseUrl !== undefined) return await openMySql(databaseUrl);
  // Folder and file hold everybody's data: nobody else on the host may look in. SQLite's files beside it follow.
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const file = path.join(dataDir, SQLITE_FILE);
  await (await open(file, "a", 0o600)).close();
  return await openSqlite(file);
}
