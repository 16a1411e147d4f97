import { type DataSource, MigrationExecutor } from "typeorm";

/**
 * Runs the migrations that the database does not have yet, under a lock, so that of several processes that
 * start at once one migrates and the others find it done.
 * @param underLock runs work while no other process can migrate
 */
export async function migrate(
  source: DataSource,
  underLock: (work: () => Promise<void>) => Promise<void>,
): Promise<void> {
  if ((await pendingMigrations(source)) === 0) return;
  await underLock(async () => {
    await source.runMigrations({ transaction: "none" });
  });
}

async function pendingMigrations(source: DataSource): Promise<number> {
  return (await new MigrationExecutor(source).getPendingMigrations()).length;
}
