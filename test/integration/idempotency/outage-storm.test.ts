import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "@jest/globals";
import { describeMariaDb, startMariaDb } from "../../support/mariadb.ts";
import { withChance } from "../../support/random.ts";
import { RetryStorm } from "../../support/retry-storm.ts";
import { startService } from "../../support/service-on.ts";
import { openTcpProxy, type TcpProxy } from "../../support/tcp-proxy.ts";
import { expectEachOnce, expireClaims } from "./support/storm-checks.ts";

/** Milliseconds between two losses of all connections to the database, at least and at most. */
const BETWEEN_LOSSES = [20, 150] as const;

describeMariaDb("a retry storm, while the database's connections are lost and claims expire early", () => {
  let proxy: TcpProxy | undefined;

  afterEach(() => proxy?.close());

  test(
    "leaves each create once: a write whose claim is gone, or whose commit nobody heard of, is not done twice",
    withChance(async (random) => {
      const server = await startMariaDb();
      const direct = { dataDir: "", databaseUrl: await server.createDatabase() };
      const url = new URL(direct.databaseUrl);
      proxy = await openTcpProxy(Number(url.port));
      url.port = String(proxy.port);
      const service = await startService({ dataDir: "", databaseUrl: url.href }, { LOG_LEVEL: "fatal" });

      const storm = new RetryStorm({ random, creates: 150, clientsEach: 3, excuses: [503] });
      let isOver = false;
      const running = storm
        .run(() => service)
        .finally(() => {
          isOver = true;
        });
      let losses = 0;
      while (!isOver) {
        await sleep(random.integer(...BETWEEN_LOSSES));
        // Whoever holds these claims is still at work: another takes over, and only one of them may write.
        await expireClaims(direct);
        proxy.drop();
        losses += 1;
      }
      await running;
      expect(losses).toBeGreaterThan(2);
      await expectEachOnce(storm, direct, service);
      expect(await service.stop()).toBe(0);
    }),
    60_000,
  );
});
