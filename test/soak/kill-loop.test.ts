import { setTimeout as sleep } from "node:timers/promises";
import { expect, test } from "@jest/globals";
import { openDatabase } from "../../db/open-database.ts";
import type { Config } from "../../lib/config.ts";
import { describeOnBothDatabases } from "../support/databases.ts";
import { request } from "../support/http.ts";
import { killUnderLoad } from "../support/kill-loop.ts";
import { withChance } from "../support/random.ts";
import { startService } from "../support/service-on.ts";
import { progress, soakLength } from "../support/soak.ts";

const KILLS = soakLength({ short: 5, normal: 20, long: 30 });
const FIRST_STARTS = soakLength({ short: 2, normal: 20, long: 40 });
/** A first start takes about as long, migrations included. */
const FIRST_START_MS = 900;

describeOnBothDatabases("kills without end", (_open, freshStorage) => {
  test(
    "lose no write that was answered, and leave none by half",
    withChance(async (random) => {
      await killUnderLoad({ storage: await freshStorage(), kills: KILLS, random, onSurvived: progress });
    }),
  );

  test(
    "in the middle of a first start do not spoil the next one",
    withChance(async (random) => {
      for (let start = 1; start <= FIRST_STARTS; start += 1) {
        const storage = await freshStorage();
        const killed = await startService(storage, {}, { isReadyAwaited: false });
        const afterMs = random.integer(100, FIRST_START_MS);
        await sleep(afterMs);
        await killed.stop("SIGKILL");
        const service = await startService(storage);
        expect((await request(service, "GET", "/v1/data")).status).toBe(200);
        expect(await service.stop()).toBe(0);
        expect(await provisioned(storage)).toEqual({ workspaces: 1, users: 1, api_keys: 1 });
        progress(`first start ${start}, killed after ${afterMs} ms: the next one served`);
      }
    }),
  );
});

/** How many there are of what a first start makes. */
async function provisioned(storage: Config["storage"]): Promise<Record<string, number>> {
  const database = await openDatabase(storage);
  const counts: Record<string, number> = {};
  for (const table of ["workspaces", "users", "api_keys"]) {
    const rows = await database.read.query(`SELECT id FROM ${table}`);
    counts[table] = rows.length;
  }
  await database.close();
  return counts;
}
