import type { DataSource } from "typeorm";

/**
 * Runs the migrations that the database does not have yet. The caller holds a lock, so that of several
 * processes that start at once one migrates and the others find it done.
 */
export async function migrate(source: DataSource): Promise<void> {
  await source.runMigrations({ transaction: "none" });
}
