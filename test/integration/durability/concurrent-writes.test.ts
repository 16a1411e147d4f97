import { expect, test } from "@jest/globals";
import type { RecordResource } from "../../../services/records/record.schema.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { request } from "../../support/http.ts";
import { withChance } from "../../support/random.ts";
import { startService } from "../../support/service-on.ts";
import { Workload } from "../../support/workload.ts";
import type { Lane } from "../../support/workload-lane.ts";
import {
  createMany,
  createOne,
  merge,
  patchOne,
  refusedWrites,
  removeMany,
  removeOne,
  type Write,
} from "../../support/workload-writes.ts";

/** Twenty writes that do not stand in each other's way: ten that succeed and ten that must be refused. */
function halfRefused(lane: Lane): Write[] {
  const [first, second, third, ...rest] = [...lane.records.values()];
  if (!first || !second || !third) throw new Error("The lane has too few records.");
  return [
    createOne(lane.newTexts()),
    createOne(lane.newTexts()),
    createOne(lane.newTexts()),
    createMany(lane.newTexts(), 3),
    createMany(lane.newTexts(), 40),
    patchOne(lane.newTexts(), first),
    patchOne(lane.newTexts(), second),
    removeOne(third),
    removeMany(rest),
    merge(lane.sharedId, lane.word, "merged"),
    ...refusedWrites(lane.newTexts(), lane.sharedId),
  ];
}

const LANES = 25;

describeOnBothDatabases("500 concurrent writes of which half fail", (_open, freshStorage) => {
  test(
    "leave exactly the successful half",
    withChance(async (random) => {
      const storage = await freshStorage();
      const service = await startService(storage);
      const workload = await Workload.begin(service, { lanes: LANES, random });
      for (const lane of workload.lanes) await lane.send(service, createMany(lane.newTexts(), 8));

      const all = workload.lanes.flatMap((lane) => halfRefused(lane).map((write) => ({ lane, write })));
      expect(all).toHaveLength(500);
      await Promise.all(random.shuffle(all).map(({ lane, write }) => lane.send(service, write)));

      expect({ succeeded: workload.acknowledged - LANES, unanswered: workload.doubts }).toEqual({
        succeeded: 250,
        unanswered: 0,
      });
      await workload.expectIntact(service, storage);
      expect(await service.stop()).toBe(0);
    }),
  );
});

describeOnBothDatabases("concurrent merges that exceed a limit together", (_open, freshStorage) => {
  test("succeed until it is reached, and not once more", async () => {
    const service = await startService(await freshStorage());
    const fields = Object.fromEntries(Array.from({ length: 90 }, (_, at) => [`key ${at}`, "value"]));
    const body = { name: "nearly full", type: "note", fields };
    const made = await request<RecordResource>(service, "POST", "/v1/data", { body });
    const path = `/v1/data/${made.body.data.id}`;

    const keys = Array.from({ length: 30 }, (_, at) => `added ${at}`);
    const answers = await Promise.all(
      keys.map((key) => request(service, "PATCH", path, { body: { fields: { [key]: "value" } } })),
    );
    const statuses = answers.map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array(10).fill(200), ...Array(20).fill(400)]);

    const merged = await request<RecordResource>(service, "GET", path);
    const won = keys.filter((_, at) => statuses[at] === 200);
    expect(new Set(Object.keys(merged.body.data.fields))).toEqual(new Set([...Object.keys(fields), ...won]));
    await service.stop();
  });
});
