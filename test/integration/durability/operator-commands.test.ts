import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@jest/globals";
import { openDatabase } from "../../../db/open-database.ts";
import type { Config } from "../../../lib/config.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { childEnvironment, type Environment } from "../../support/environment.ts";
import { request, type Target } from "../../support/http.ts";
import { withChance } from "../../support/random.ts";
import { startService } from "../../support/service-on.ts";
import { waitFor } from "../../support/wait-for.ts";
import { Workload } from "../../support/workload.ts";

type Storage = Config["storage"];

const root = path.resolve(import.meta.dirname, "../../..");
/** npm and Node take about one second to start, and several where both cores are taken. */
const COMMAND_WITHIN_MS = 10_000;
const REFUSED_WITHIN_MS = 5_000;

/** Runs `npm run admin` as an operator would. Gives the words that it printed. */
async function admin({ dataDir, databaseUrl }: Storage, ...words: string[]): Promise<string[]> {
  const where: Environment =
    databaseUrl === undefined ? { DATA_DIR: dataDir } : { DATABASE_URL: databaseUrl };
  const startMs = performance.now();
  const { stdout } = await promisify(execFile)("npm", ["run", "--silent", "admin", "--", ...words], {
    cwd: root,
    env: childEnvironment(where),
  });
  expect(performance.now() - startMs).toBeLessThan(COMMAND_WITHIN_MS);
  return stdout.split(/\s+/);
}

async function makeKey(storage: Storage, userId: string): Promise<{ id: string; key: string }> {
  const words = await admin(storage, "keys", "create", userId);
  const id = words.find((word) => word.startsWith("key_")) ?? "";
  return { id, key: words.find((word) => word.startsWith("wds_")) ?? "" };
}

/** Uses the key over and over until it is refused. Gives the time of the last request that was let in. */
async function lastLetInMs(target: Target, key: string): Promise<number> {
  let lastMs = 0;
  await waitFor(
    async () => {
      const sentMs = Date.now();
      const { status } = await request(target, "GET", "/v1/data?per_page=1", { key });
      if (status === 200) lastMs = sentMs;
      return status === 401;
    },
    { what: "the key to be refused", timeoutMs: 2 * REFUSED_WITHIN_MS },
  );
  return lastMs;
}

describeOnBothDatabases("an operator beside a service that writes all it can", (_open, freshStorage) => {
  test(
    "makes keys that work, and takes keys and users back within five seconds",
    withChance(async (random) => {
      const storage = await freshStorage();
      const service = await startService(storage);
      const database = await openDatabase(storage);
      const workload = await Workload.begin(service, { lanes: 16, random, keepsConnection: true });
      const until = new AbortController();
      const load = workload.run(service, until.signal);

      const [user] = await database.read.query<{ id: string }>("SELECT id FROM users");
      const userId = user?.id ?? "";
      const made = await makeKey(storage, userId);
      const letIn = await request(service, "GET", "/v1/data?per_page=1", { key: made.key });
      expect(letIn.status).toBe(200);

      const untilRefused = lastLetInMs(service, made.key);
      await admin(storage, "keys", "revoke", made.id);
      const [revoked] = await database.read.query<{ revoked_at: number }>(
        "SELECT revoked_at FROM api_keys WHERE id = ?",
        [made.id],
      );
      // A request sent five seconds later must be refused, however long its answer takes.
      expect((await untilRefused) - (revoked?.revoked_at ?? 0)).toBeLessThan(REFUSED_WITHIN_MS);

      until.abort();
      await load;
      await workload.expectIntact(service, storage);

      const inactiveAtMs = Date.now();
      const refused = lastLetInMs(service, service.key);
      await database.transaction((transaction) =>
        transaction.execute("UPDATE users SET status = 'inactive' WHERE id = ?", [userId]),
      );
      expect((await refused) - inactiveAtMs).toBeLessThan(REFUSED_WITHIN_MS);
      await database.close();
      await service.stop();
    }),
    60_000,
  );
});
