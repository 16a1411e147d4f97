import { test } from "@jest/globals";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { killUnderLoad } from "../../support/kill-loop.ts";
import { withChance } from "../../support/random.ts";

describeOnBothDatabases("a service that is killed under load", (_open, freshStorage) => {
  test(
    "has every write that it answered, whole, counted, found and told of, and nothing by half",
    withChance(async (random) => {
      await killUnderLoad({ storage: await freshStorage(), kills: 3, random });
    }),
    60_000,
  );
});
