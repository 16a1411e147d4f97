import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import Database from "better-sqlite3";
import { freshSqliteStorage } from "../../support/databases.ts";
import { request } from "../../support/http.ts";
import { allWritersServed, allWritersToldToWait, answered, endInTime, probe } from "../../support/outage.ts";
import { withChance } from "../../support/random.ts";
import { startService } from "../../support/service-on.ts";
import { waitFor } from "../../support/wait-for.ts";
import { Workload } from "../../support/workload.ts";

/** Reads have a connection of their own; one that waited for the lock would take seconds. */
const READ_WITHIN_MS = 1_000;

describe("a SQLite file whose write lock another process holds for long", () => {
  test(
    "refuses writes with 503 within ten seconds, reads as ever, and loses nothing",
    withChance(async (random) => {
      const storage = await freshSqliteStorage();
      const service = await startService(storage, { LOG_LEVEL: "fatal" });
      const workload = await Workload.begin(service, { lanes: 8, random, excuses: [503] });
      const until = new AbortController();
      const load = workload.run(service, until.signal);
      await waitFor(() => workload.acknowledged > 50, { what: "the load to get going" });

      const other = new Database(path.join(storage.dataDir, "workspace-data.sqlite"), { timeout: 5_000 });
      other.exec("BEGIN IMMEDIATE");
      const held = allWritersToldToWait(workload);
      let isHeld = true;
      const readsMs: number[] = [];
      const reading = (async () => {
        while (isHeld) {
          const startMs = performance.now();
          expect((await request(service, "GET", "/v1/data?q=report&per_page=5")).status).toBe(200);
          readsMs.push(performance.now() - startMs);
        }
      })();
      await held;
      expect((await probe(service, "/livez")).status).toBe(200);
      isHeld = false;
      await reading;
      other.exec("ROLLBACK");
      other.close();

      await Promise.all([allWritersServed(workload), answered(service, "/readyz", 200)]);
      await endInTime(workload, until, load);
      expect(readsMs.length).toBeGreaterThan(100);
      expect(Math.max(...readsMs)).toBeLessThan(READ_WITHIN_MS);
      expect(await service.stop()).toBe(0);
      const again = await startService(storage);
      await workload.expectIntact(again, storage);
    }),
    60_000,
  );
});
