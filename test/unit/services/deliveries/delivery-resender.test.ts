import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { dialectSql } from "../../../../db/dialect.ts";
import { lanes } from "../../../../lib/delivery-states.ts";
import { newId } from "../../../../lib/ids.ts";
import { Outbox } from "../../../../mixins/outbox.ts";
import { DeliveryResender } from "../../../../services/deliveries/delivery-resender.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { MADE_AT_MS, newRegistration, type Registration } from "./support/test-deliveries.ts";

describeOnBothDatabases("a delivery that is over", (open) => {
  let database: Database;
  let registration: Registration;
  let resender: DeliveryResender;

  beforeAll(async () => {
    database = await open();
    // Small enough that a few deliveries need several transactions.
    resender = new DeliveryResender({ database, outbox: new Outbox(database, () => {}), batch: 3 });
  });

  beforeEach(async () => {
    registration = await newRegistration(database);
  });

  const resend = (delivery_id: string, { id, caller } = registration) =>
    resender.resend(caller, { id, delivery_id });
  const recover = (sinceMs = MADE_AT_MS, { id, caller } = registration) =>
    resender.recover(caller, { id, since: new Date(sinceMs).toISOString() });

  async function databaseNow(): Promise<number> {
    const [row] = await database.read.query<{ now: number }>(
      `SELECT ${dialectSql[database.dialect].nowMs} AS now`,
    );
    return row?.now ?? 0;
  }

  test.each(["failed", "succeeded"] as const)("is sent once more where it %s", async (status) => {
    const attempts = [{ statusCode: 500 }, { statusCode: 500 }];
    const other = await registration.add({ status });
    const id = await registration.add({ status, attempts });
    const from = await databaseNow();
    const shown = await resend(id);
    const until = await databaseNow();
    const [queued, ...others] = await registration.queue();
    expect(others).toEqual([]);
    expect(queued).toMatchObject({
      ...{ delivery_id: id, channel: "webhook", target_id: registration.id },
      ...{ lane: lanes.retry, claim_id: null },
    });
    expect(queued?.due_at).toBeGreaterThanOrEqual(from);
    expect(queued?.due_at).toBeLessThanOrEqual(until);
    expect(await registration.rows()).toEqual([
      expect.objectContaining({ id: other, status }),
      { id, status: "pending", attempt_count: 2, finished_at: null },
    ]);
    expect(shown).toEqual({
      ...{ id, event: "record.created", status: "pending", created_at: "2026-11-21T03:48:11.966Z" },
      next_attempt_at: new Date(queued?.due_at ?? 0).toISOString(),
    });
  });

  test.each(["pending", "cancelled"] as const)("is not sent where it is %s: 409", async (status) => {
    const id = await registration.add({ status });
    const before = [await registration.rows(), await registration.queue()];
    await expect(resend(id)).rejects.toMatchObject({ errorCode: "conflict" });
    expect([await registration.rows(), await registration.queue()]).toEqual(before);
  });

  test("is sent once where many ask for it at once", async () => {
    const id = await registration.add({ status: "failed" });
    const asked = await Promise.allSettled(Array.from({ length: 8 }, () => resend(id)));
    expect(asked.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    for (const each of asked) {
      if (each.status === "rejected") expect(each.reason).toMatchObject({ errorCode: "conflict" });
    }
    expect(await registration.queue()).toHaveLength(1);
  });

  test("is not found under another registration, nor for another workspace", async () => {
    const id = await registration.add({ status: "failed" });
    const neighbour = await newRegistration(database, registration.caller.workspaceId);
    const stranger = await newRegistration(database);
    for (const [by, kind] of [
      [neighbour, "delivery"],
      [stranger, "delivery"],
      [{ ...registration, caller: stranger.caller }, "webhook"],
    ] as const) {
      await expect(resend(id, by)).rejects.toMatchObject({ message: `No ${kind} with this id.` });
    }
    await expect(resend(newId("delivery"))).rejects.toMatchObject({ errorCode: "not_found" });
    await expect(recover(0, { ...registration, caller: stranger.caller })).rejects.toMatchObject({
      errorCode: "not_found",
    });
    expect(await registration.queue()).toEqual([]);
  });

  test("is not sent where the registration goes at the same time, or is cancelled with it", async () => {
    const ids = await Promise.all(Array.from({ length: 6 }, () => registration.add({ status: "failed" })));
    const remove = database.transaction(async (transaction) => {
      await transaction.execute("DELETE FROM webhooks WHERE id = ?", [registration.id]);
      return await transaction.query<{ delivery_id: string }>(
        "SELECT delivery_id FROM delivery_queue WHERE target_id = ?",
        [registration.id],
      );
    });
    const asked = await Promise.allSettled(ids.map((id) => resend(id)));
    const seen = (await remove).map(({ delivery_id }) => delivery_id);
    // Whatever came before the removal is there for it to see; whatever came later found no registration.
    const sent = ids.filter((_, index) => asked[index]?.status === "fulfilled");
    expect(seen.sort()).toEqual(sent.sort());
    expect((await registration.queue()).map(({ delivery_id }) => delivery_id)).toEqual(seen);
    await expect(recover()).rejects.toMatchObject({ errorCode: "not_found" });
  });

  test("is recovered where it failed since the time, over several transactions, and no other is", async () => {
    const wanted: string[] = [];
    for (let n = 0; n < 8; n += 1) {
      const event = n === 7 ? "user.removed" : "record.created";
      wanted.push(await registration.add({ event, status: "failed", createdAtMs: MADE_AT_MS + n }));
      await registration.add({ event, status: "failed", createdAtMs: MADE_AT_MS - 1 - n });
    }
    await registration.add({ status: "succeeded" });
    await registration.add({ status: "cancelled" });
    const pending = await registration.add({ status: "pending" });
    const neighbour = await newRegistration(database, registration.caller.workspaceId);
    await neighbour.add({ status: "failed" });

    expect(await recover()).toEqual({ recovered: 8 });
    const queue = await registration.queue();
    expect(queue.map(({ delivery_id }) => delivery_id)).toEqual([...wanted, pending].sort());
    expect(queue.filter(({ lane }) => lane === lanes.retry)).toHaveLength(8);
    const rows = await registration.rows();
    expect(rows.filter(({ status }) => status === "failed")).toHaveLength(8);
    expect(await neighbour.queue()).toEqual([]);
    expect(await recover()).toEqual({ recovered: 0 });
    expect(await registration.queue()).toEqual(queue);
  });

  test("is recovered once where two ask for it at once", async () => {
    for (let n = 0; n < 10; n += 1) await registration.add({ status: "failed" });
    const answers = await Promise.all([recover(), recover(), recover()]);
    expect(answers.reduce((sum, { recovered }) => sum + recovered, 0)).toBe(10);
    expect(await registration.queue()).toHaveLength(10);
  });

  test("is not recovered since a time that is none: 400", async () => {
    const { id, caller } = registration;
    await expect(resender.recover(caller, { id, since: "today" })).rejects.toMatchObject({
      errorCode: "invalid_request",
      details: [{ path: "since" }],
    });
  });
});
