import { expect, test } from "@jest/globals";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { withChance } from "../../support/random.ts";
import { RetryStorm } from "../../support/retry-storm.ts";
import { startService } from "../../support/service-on.ts";
import { waitFor } from "../../support/wait-for.ts";
import { expectEachOnce, expireClaims } from "./support/storm-checks.ts";

const CREATES = 300;
const CLIENTS_EACH = 3;
const KILLS = 3;
/** Few enough that most creates are still to come at the last kill. */
const ANSWERS_BETWEEN_KILLS = [10, 80] as const;

describeOnBothDatabases(
  "300 creates, each sent three times, connections cut at random",
  (_open, freshStorage) => {
    test(
      "leave exactly 300 records and 300 events, and each has one answer, after a restart too",
      withChance(async (random) => {
        const storage = await freshStorage();
        const service = await startService(storage);
        const storm = new RetryStorm({ random, creates: CREATES, clientsEach: CLIENTS_EACH });
        await storm.run(() => service);
        expect(storm.lost).toBeGreaterThan(CREATES);
        await expectEachOnce(storm, storage, service);
        expect(await service.stop()).toBe(0);

        const again = await startService(storage);
        const repeats = new RetryStorm({ random, creates: 20, clientsEach: 1 });
        await repeats.run(() => again);
        for (const [key, texts] of repeats.answers) expect(storm.answers.get(key)).toContain(texts[0]);
        await expectEachOnce(storm, storage, again);
      }),
      60_000,
    );

    test(
      "leave no more where the service is killed in the middle, again and again",
      withChance(async (random) => {
        const storage = await freshStorage();
        let service = await startService(storage);
        const storm = new RetryStorm({ random, creates: CREATES, clientsEach: CLIENTS_EACH });
        const running = storm.run(() => service);
        for (let kill = 1; kill <= KILLS; kill += 1) {
          const enough = storm.answered + random.integer(...ANSWERS_BETWEEN_KILLS);
          await waitFor(() => storm.answered >= enough, { what: `${enough} answers`, timeoutMs: 30_000 });
          await service.stop("SIGKILL");
          await expireClaims(storage);
          service = await startService(storage);
        }
        await running;
        await expectEachOnce(storm, storage, service);
      }),
      60_000,
    );
  },
);
