import { expect, test } from "@jest/globals";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { withChance } from "../../support/random.ts";
import { startService } from "../../support/service-on.ts";
import { waitFor } from "../../support/wait-for.ts";
import { Workload } from "../../support/workload.ts";

describeOnBothDatabases("a service that is told to stop under load", (_open, freshStorage) => {
  test.each([
    { connections: "kept open", keepsConnection: true },
    { connections: "of each request's own", keepsConnection: false },
  ])(
    "answers what it has, does nothing else, and keeps it all: connections $connections",
    ({ keepsConnection }) =>
      withChance(async (random) => {
        const storage = await freshStorage();
        const service = await startService(storage);
        const workload = await Workload.begin(service, { lanes: 16, random, keepsConnection });
        const load = workload.run(service, new AbortController().signal);
        const enough = random.integer(50, 150);
        await waitFor(() => workload.acknowledged >= enough, { what: "the load to get going" });

        const underWay = workload.lanes.map((lane) => lane.underWay);
        expect(await service.stop("SIGTERM")).toBe(0);
        await load;
        const statuses = (await Promise.all(underWay)).map((outcome) => outcome?.status);
        // On a connection that is open, a request has arrived when it has been sent.
        if (keepsConnection) expect(statuses).not.toContain(undefined);

        const again = await startService(storage);
        const happenedUnanswered = await workload.expectIntact(again, storage);
        expect(happenedUnanswered).toBe(0);
        expect(await again.stop()).toBe(0);
      })(),
  );
});
