import { beforeEach, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { lanes } from "../../../../lib/delivery-states.ts";
import { DeliveryQueue } from "../../../../services/dispatcher/delivery-queue.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { growingSteps, rowsRead } from "../../../support/query-plan.ts";
import { enqueue } from "../../../support/test-deliveries.ts";
import { type IssuedStatement, watchDatabase } from "../../../support/watched-sql.ts";

describeOnBothDatabases("the lanes in which something is due", (open) => {
  let database: Database;
  beforeEach(async () => {
    database = await open();
  });

  test("are those of the targets that have any, each once", async () => {
    const queue = new DeliveryQueue(database);
    expect(await queue.dueTargets()).toEqual([]);
    await enqueue(database, [
      { targetId: "wh_a" },
      { targetId: "wh_a" },
      { targetId: "wh_b", lane: lanes.retry },
      { targetId: "wh_c", dueInMs: 60_000 },
      { targetId: "wh_c", lane: lanes.retry },
      { targetId: "wh_d", dueInMs: 60_000 },
      { targetId: "wh_e", lane: lanes.retry },
      { targetId: "wh_e", lane: lanes.retry, dueInMs: 60_000 },
      { targetId: "wh_e" },
    ]);
    const channel = "webhook";
    expect(await queue.dueTargets()).toEqual([
      { targetId: "wh_a", lane: lanes.first, channel },
      { targetId: "wh_b", lane: lanes.retry, channel },
      { targetId: "wh_c", lane: lanes.retry, channel },
      { targetId: "wh_e", lane: lanes.first, channel },
      { targetId: "wh_e", lane: lanes.retry, channel },
    ]);
    await queue.claim("wh_a", lanes.first, 2);
    await queue.claim("wh_e", lanes.first, 1);
    expect((await queue.dueTargets()).map(({ targetId, lane }) => [targetId, lane])).toEqual([
      ["wh_b", lanes.retry],
      ["wh_c", lanes.retry],
      ["wh_e", lanes.retry],
    ]);
  });

  test("are found, and what is due in them claimed, by seeks that do not grow with what waits", async () => {
    await enqueue(database, [
      ...Array(400).fill({ targetId: "wh_a" }),
      ...Array(400).fill({ targetId: "wh_b", lane: lanes.retry }),
    ]);
    const issued: IssuedStatement[] = [];
    const queue = new DeliveryQueue(watchDatabase(database, issued));
    expect(await queue.dueTargets()).toHaveLength(2);
    // A seek for each lane, one that finds wh_a to have no other, and one that finds nothing behind.
    expect(issued).toHaveLength(4);
    await queue.claim("wh_a", lanes.first, 3);
    for (const one of issued) {
      const { statement, rows } = one;
      // The first of all, in the order of the index, is no scan that grows: it stops at one row.
      const isFirstOfAll = one === issued[0];
      const growing = isFirstOfAll ? [] : await growingSteps(database.read, one);
      expect([statement, ...growing]).toEqual([statement]);
      if (database.dialect === "mysql" && statement.startsWith("SELECT")) {
        expect({ statement, read: await rowsRead(database.read, one) }).toEqual({
          statement,
          read: expect.any(Number),
        });
        expect(await rowsRead(database.read, one)).toBeLessThanOrEqual(rows + 1);
      }
    }
  });
});
