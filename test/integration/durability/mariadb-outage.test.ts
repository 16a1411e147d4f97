import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Config } from "../../../lib/config.ts";
import { describeMariaDb } from "../../support/mariadb.ts";
import { FragileMariaDb } from "../../support/mariadb-fragile.ts";
import { allWritersServed, allWritersToldToWait, answered, endInTime, probe } from "../../support/outage.ts";
import { withChance } from "../../support/random.ts";
import { startService } from "../../support/service-on.ts";
import { waitFor } from "../../support/wait-for.ts";
import { Workload } from "../../support/workload.ts";

/** More than the service has connections. */
const LANES = 16;

describeMariaDb("a MariaDB server that goes away while the service writes", () => {
  let server: FragileMariaDb;
  let storage: Config["storage"];

  beforeAll(async () => {
    server = await FragileMariaDb.start();
    storage = { dataDir: "", databaseUrl: server.databaseUrl };
  });

  afterAll(async () => {
    await server?.stop();
  });

  test(
    "is 503 within ten seconds, serves again without a restart, and loses nothing",
    withChance(async (random) => {
      const service = await startService(storage, { LOG_LEVEL: "fatal" });
      const workload = await Workload.begin(service, {
        ...{ lanes: LANES, random, keepsConnection: true, excuses: [503] },
      });
      const until = new AbortController();
      const load = workload.run(service, until.signal);
      await waitFor(() => workload.acknowledged > 50, { what: "the load to get going" });

      for (const { hurt, heal } of [
        { hurt: () => server.pause(), heal: () => server.resume() },
        { hurt: () => server.kill(), heal: () => server.revive() },
      ]) {
        hurt();
        await Promise.all([
          allWritersToldToWait(workload),
          answered(service, "/v1/data", 503),
          answered(service, "/readyz", 503),
          answered(service, "/livez", 200),
        ]);
        expect((await probe(service, "/livez")).status).toBe(200);
        await heal();
        await Promise.all([
          allWritersServed(workload),
          answered(service, "/v1/data", 200),
          answered(service, "/readyz", 200),
        ]);
      }

      await endInTime(workload, until, load);
      expect(await service.stop()).toBe(0);
      const again = await startService(storage);
      await workload.expectIntact(again, storage);
    }),
    60_000,
  );
});
