import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { lanes } from "../../../../lib/delivery-states.ts";
import { newId } from "../../../../lib/ids.ts";
import type { Claim, NextStep } from "../../../../services/dispatcher/claim.ts";
import { DeliveryQueue } from "../../../../services/dispatcher/delivery-queue.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { breakAtStatement, InjectedFault } from "../../../support/faulty-database.ts";
import { dumpTarget, enqueue, letWaitsEnd } from "../../../support/test-deliveries.ts";

const success = { isSuccess: true, statusCode: 204, error: null, response: "", durationMs: 12.4 };
const failure = {
  isSuccess: false,
  statusCode: null,
  error: "timeout",
  response: null,
  durationMs: 5_000,
} as const;

describeOnBothDatabases("the queue of deliveries", (open) => {
  let database: Database;
  let queue: DeliveryQueue;
  /** One that others' tests know nothing of. */
  let targetId: string;
  beforeAll(async () => {
    database = await open();
    queue = new DeliveryQueue(database);
  });
  beforeEach(() => {
    targetId = newId("webhook");
  });

  const claimOne = async (lane: Claim["lane"] = lanes.first, from = queue): Promise<Claim> => {
    const [claim] = await from.claim(targetId, lane, 1);
    if (!claim) throw new Error("Nothing could be claimed.");
    return claim;
  };
  const idsOf = (claims: readonly Claim[]) => claims.map(({ deliveryId }) => deliveryId);
  const dump = () => dumpTarget(database, targetId);

  describe("a claim", () => {
    test("says what is to be sent where, and how often it was tried", async () => {
      const [id] = await enqueue(database, [{ targetId, lane: lanes.retry, attemptCount: 2 }]);
      const [delivery] = (await dump()).deliveries;
      expect(await queue.claim(targetId, lanes.retry, 5)).toEqual([
        {
          deliveryId: id,
          claimId: expect.stringMatching(/^\S{1,40}$/),
          workspaceId: "ws_1",
          eventId: delivery?.event_id,
          event: "record.created",
          channel: "webhook",
          targetId,
          lane: lanes.retry,
          attemptCount: 2,
        },
      ]);
    });

    test("takes what has been due the longest, as many as were asked for and no other lane's", async () => {
      const [late, early, middle] = await enqueue(database, [
        { targetId, dueInMs: -1_000 },
        { targetId, dueInMs: -3_000 },
        { targetId, dueInMs: -2_000 },
        { targetId, dueInMs: -4_000, lane: lanes.retry },
        { targetId, dueInMs: 60_000 },
      ]);
      expect(await queue.claim(targetId, lanes.first, 0)).toEqual([]);
      expect(idsOf(await queue.claim(targetId, lanes.first, 2))).toEqual([early, middle]);
      expect(idsOf(await queue.claim(targetId, lanes.first, 2))).toEqual([late]);
      expect(await queue.claim(targetId, lanes.first, 2)).toEqual([]);
    });

    test("lasts longer than an attempt may and less than 20 seconds, by the database's clock", async () => {
      await enqueue(database, [{ targetId }]);
      const beforeMs = Date.now();
      await claimOne();
      const [row] = (await dump()).queue;
      expect(row?.due_at).toBeGreaterThan(beforeMs + 10_000);
      expect(row?.due_at).toBeLessThan(Date.now() + 19_000);
    });

    test("of a dispatcher that died returns by itself, and its last word counts no more", async () => {
      await enqueue(database, [{ targetId }]);
      const dead = await claimOne();
      expect(await queue.claim(targetId, lanes.first, 1)).toEqual([]);
      await letWaitsEnd(database, targetId);
      const heir = await claimOne();
      expect(heir).toEqual({ ...dead, claimId: heir.claimId });
      expect(heir.claimId).not.toBe(dead.claimId);
      const before = await dump();
      expect(await queue.record(dead, success, { kind: "succeeded" })).toBe(false);
      expect(await queue.record(dead, failure, { kind: "retry", inMs: 1 })).toBe(false);
      expect(await queue.cancel(dead)).toBe(false);
      await queue.release([dead]);
      expect(await dump()).toEqual(before);
      expect(await queue.record(heir, success, { kind: "succeeded" })).toBe(true);
    });

    test("whose lease has run out still holds while nobody else has claimed", async () => {
      await enqueue(database, [{ targetId }]);
      const claim = await claimOne(lanes.first, new DeliveryQueue(database, { leaseMs: -1 }));
      expect(await queue.record(claim, success, { kind: "succeeded" })).toBe(true);
    });

    test("is never had by two, however many dispatchers race", async () => {
      const ids = await enqueue(database, Array(60).fill({ targetId }));
      const racers = Array.from({ length: 6 }, () => new DeliveryQueue(database));
      const taken: string[] = [];
      const race = async (racer: DeliveryQueue) => {
        for (;;) {
          const claims = await racer.claim(targetId, lanes.first, 4);
          // Rows that others are just claiming are passed over: nothing left to this one.
          if (claims.length === 0) return;
          taken.push(...idsOf(claims));
        }
      };
      await Promise.all(racers.map(race));
      expect([...taken].sort()).toEqual([...ids].sort());
    });
  });

  describe("an attempt", () => {
    test.each(["succeeded", "failed"] as const)("after which it has %s ends the delivery", async (kind) => {
      const outcome =
        kind === "succeeded" ? success : { ...failure, statusCode: 500, error: "status" as const };
      await enqueue(database, [{ targetId, attemptCount: 3 }]);
      const claim = await claimOne();
      const beforeMs = Date.now();
      expect(await queue.record(claim, outcome, { kind })).toBe(true);
      const { deliveries, queue: left, attempts } = await dump();
      expect(left).toEqual([]);
      expect(deliveries).toMatchObject([{ status: kind, attempt_count: 4 }]);
      expect(deliveries[0]?.finished_at).toBeGreaterThanOrEqual(beforeMs - 1);
      const { durationMs, statusCode, error, response } = outcome;
      expect(attempts).toEqual([
        {
          delivery_id: claim.deliveryId,
          number: 4,
          at: expect.any(Number),
          duration_ms: Math.round(durationMs),
          status_code: statusCode,
          error,
          response,
        },
      ]);
      // It began as long before its end as it took.
      expect(deliveries[0]?.finished_at).toBeGreaterThanOrEqual(
        (attempts[0]?.at ?? 0) + Math.round(durationMs),
      );
      expect(await queue.record(claim, outcome, { kind })).toBe(false);
    });

    test("that is to be made again waits among the retries, until then and held by nobody", async () => {
      await enqueue(database, [{ targetId }]);
      const beforeMs = Date.now();
      expect(await queue.record(await claimOne(), failure, { kind: "retry", inMs: 60_000.7 })).toBe(true);
      const { deliveries, queue: waiting, attempts } = await dump();
      expect(deliveries).toMatchObject([{ status: "pending", attempt_count: 1, finished_at: null }]);
      expect(attempts).toMatchObject([{ number: 1, error: "timeout", status_code: null, response: null }]);
      expect(waiting).toMatchObject([{ lane: lanes.retry, claim_id: null }]);
      expect(waiting[0]?.due_at).toBeGreaterThanOrEqual(beforeMs + 60_000 - 1);
      expect(waiting[0]?.due_at).toBeLessThanOrEqual(Date.now() + 60_001);
      expect(await queue.claim(targetId, lanes.retry, 1)).toEqual([]);
      await letWaitsEnd(database, targetId);
      expect(await queue.claim(targetId, lanes.first, 1)).toEqual([]);
      expect(await claimOne(lanes.retry)).toMatchObject({ attemptCount: 1 });
    });

    test("after another has the next number", async () => {
      await enqueue(database, [{ targetId }]);
      await queue.record(await claimOne(), failure, { kind: "retry", inMs: -1 });
      await queue.record(await claimOne(lanes.retry), success, { kind: "succeeded" });
      const { deliveries, attempts } = await dump();
      expect(attempts.map(({ number, error }) => [number, error])).toEqual([
        [1, "timeout"],
        [2, null],
      ]);
      expect(deliveries).toMatchObject([{ status: "succeeded", attempt_count: 2 }]);
    });
  });

  test("a delivery whose target is gone is cancelled, and no attempt noted", async () => {
    await enqueue(database, [{ targetId, attemptCount: 1 }]);
    expect(await queue.cancel(await claimOne())).toBe(true);
    const { deliveries, queue: left, attempts } = await dump();
    expect(deliveries).toMatchObject([
      { status: "cancelled", attempt_count: 1, finished_at: expect.any(Number) },
    ]);
    expect([left, attempts]).toEqual([[], []]);
  });

  test("claims that are given back are due at once, in their lanes, and hold no more", async () => {
    const ids = await enqueue(database, [{ targetId }, { targetId }, { targetId, lane: lanes.retry }]);
    const claims = [
      ...(await queue.claim(targetId, lanes.first, 2)),
      ...(await queue.claim(targetId, lanes.retry, 2)),
    ];
    expect(claims).toHaveLength(3);
    await queue.release(claims);
    await queue.release([]);
    for (const claim of claims) expect(await queue.cancel(claim)).toBe(false);
    const again = [
      ...(await queue.claim(targetId, lanes.first, 3)),
      ...(await queue.claim(targetId, lanes.retry, 3)),
    ];
    expect(idsOf(again).sort()).toEqual([...ids].sort());
  });

  test.each<[string, (on: DeliveryQueue, claim: Claim) => Promise<unknown>, number]>([
    ["a success", (on, claim) => on.record(claim, success, { kind: "succeeded" } satisfies NextStep), 3],
    ["a retry", (on, claim) => on.record(claim, failure, { kind: "retry", inMs: 1 }), 3],
    ["a cancellation", (on, claim) => on.cancel(claim), 2],
    ["a release", (on, claim) => on.release([claim]), 1],
    ["a claim", (on) => on.claim(targetId, lanes.retry, 1), 3],
  ])("%s leaves nothing behind, wherever it breaks off", async (_name, step, statements) => {
    await enqueue(database, [{ targetId }, { targetId, lane: lanes.retry }]);
    const claim = await claimOne();
    const before = await dump();
    for (let n = 1; n <= statements + 1; n += 1) {
      const broken = new DeliveryQueue(breakAtStatement(database, n));
      await expect(step(broken, claim)).rejects.toThrow(InjectedFault);
      expect(await dump()).toEqual(before);
    }
    await step(new DeliveryQueue(breakAtStatement(database, statements + 2)), claim);
    expect(await dump()).not.toEqual(before);
  });
});
