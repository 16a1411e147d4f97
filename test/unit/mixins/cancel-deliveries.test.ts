import { beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../db/database.ts";
import { lanes } from "../../../lib/delivery-states.ts";
import { newId } from "../../../lib/ids.ts";
import { cancelDeliveries } from "../../../mixins/cancel-deliveries.ts";
import { DeliveryQueue } from "../../../services/dispatcher/delivery-queue.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { breakAtStatement, InjectedFault } from "../../support/faulty-database.ts";
import { growingSteps } from "../../support/query-plan.ts";
import { dumpTarget, enqueue } from "../../support/test-deliveries.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type IssuedStatement, watchDatabase } from "../../support/watched-sql.ts";

const success = { isSuccess: true, statusCode: 200, error: null, response: "", durationMs: 1 };

describeOnBothDatabases("cancelling what waits for a target", (open) => {
  let database: Database;
  let queue: DeliveryQueue;
  beforeAll(async () => {
    database = await open();
    queue = new DeliveryQueue(database);
  });

  const cancelAll = (targetId: string, on = database) =>
    on.transaction((transaction) => cancelDeliveries(transaction, targetId));

  test("leaves nothing to claim, whatever lane it waits in, and nothing that a claim can record", async () => {
    const targetId = newId("webhook");
    await enqueue(database, [
      { targetId },
      { targetId, dueInMs: -2_000 },
      { targetId, lane: lanes.retry, attemptCount: 2, dueInMs: 60_000 },
    ]);
    const [held] = await queue.claim(targetId, lanes.first, 1);
    if (!held) throw new Error("Nothing was claimed.");
    await cancelAll(targetId);
    const { deliveries, ...rest } = await dumpTarget(database, targetId);
    expect(deliveries.map(({ status, attempt_count }) => [status, attempt_count])).toEqual([
      ["cancelled", 0],
      ["cancelled", 0],
      ["cancelled", 2],
    ]);
    for (const { finished_at, created_at } of deliveries)
      expect(finished_at).toBeGreaterThanOrEqual(created_at);
    expect(rest).toEqual({ queue: [], attempts: [] });
    expect(await queue.claim(targetId, lanes.first, 10)).toEqual([]);
    expect(await queue.record(held, success, { kind: "succeeded" })).toBe(false);
    expect((await dumpTarget(database, targetId)).deliveries).toEqual(deliveries);
  });

  test("touches neither what has ended nor what goes to another target", async () => {
    const [targetId, otherId] = [newId("webhook"), newId("webhook")];
    await enqueue(database, [{ targetId }, { targetId: otherId }]);
    const [held] = await queue.claim(targetId, lanes.first, 1);
    if (!held) throw new Error("Nothing was claimed.");
    await queue.record(held, success, { kind: "succeeded" });
    const before = [await dumpTarget(database, targetId), await dumpTarget(database, otherId)];
    await cancelAll(targetId);
    expect([await dumpTarget(database, targetId), await dumpTarget(database, otherId)]).toEqual(before);
    expect(before[0]?.deliveries).toMatchObject([{ status: "succeeded" }]);
  });

  test("takes all of more than a batch, by indexes alone", async () => {
    const targetId = newId("webhook");
    await enqueue(database, Array(1_001).fill({ targetId }));
    // Of a table of a few hundred rows MariaDB may read all.
    await enqueue(database, Array(3_000).fill({ targetId: newId("webhook") }));
    const issued: IssuedStatement[] = [];
    await cancelAll(targetId, watchDatabase(database, issued));
    const { deliveries, queue: left } = await dumpTarget(database, targetId);
    expect(deliveries).toHaveLength(1_001);
    expect(deliveries.filter(({ status }) => status !== "cancelled")).toEqual([]);
    expect(left).toEqual([]);
    const statements = new Map(issued.map((one) => [one.statement, one]));
    for (const one of statements.values()) {
      expect([one.statement, ...(await growingSteps(database.read, one))]).toEqual([one.statement]);
    }
  });

  test("gets through while dispatchers claim and record, and has the last word", async () => {
    const targetId = newId("webhook");
    await enqueue(database, Array(120).fill({ targetId }));
    let recorded = 0;
    const dispatcher = async () => {
      for (;;) {
        const [claim] = await queue.claim(targetId, lanes.first, 1);
        if (!claim) return;
        if (await queue.record(claim, success, { kind: "succeeded" })) recorded += 1;
      }
    };
    const working = [dispatcher(), dispatcher(), dispatcher()];
    await waitFor(() => recorded > 5, { what: "some deliveries to be made" });
    await cancelAll(targetId);
    await Promise.all(working);
    const { deliveries, queue: left, attempts } = await dumpTarget(database, targetId);
    const having = (status: string) => deliveries.filter((delivery) => delivery.status === status).length;
    expect(left).toEqual([]);
    expect([having("succeeded"), having("cancelled")]).toEqual([recorded, 120 - recorded]);
    expect(attempts).toHaveLength(recorded);
  });

  test("changes nothing, wherever it breaks off", async () => {
    const targetId = newId("webhook");
    await enqueue(database, [{ targetId }, { targetId, lane: lanes.retry }]);
    const before = await dumpTarget(database, targetId);
    // It reads, deletes and updates one and the other, and reads that nothing is left.
    for (const n of [1, 2, 3, 4, 5, 6, 7]) {
      await expect(cancelAll(targetId, breakAtStatement(database, n))).rejects.toThrow(InjectedFault);
      expect(await dumpTarget(database, targetId)).toEqual(before);
    }
    await cancelAll(targetId, breakAtStatement(database, 8));
    expect((await dumpTarget(database, targetId)).queue).toEqual([]);
  });
});
