import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import type { EventName } from "../../../../lib/event-names.ts";
import type { OutboxEvent } from "../../../../mixins/outbox.ts";
import { fanOut } from "../../../../services/dispatcher/fan-out.ts";
import { findWebhook } from "../../../../services/dispatcher/target.repository.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import {
  dumpFanOut,
  emptyFanOut,
  type FanOutWorkspace,
  newFanOutWorkspace,
} from "./support/fan-out-workspace.ts";

const happened = (event: EventName, id = "rec_1"): OutboxEvent => ({ event, data: { id } });

describeOnBothDatabases("the fan-out", (open) => {
  let database: Database;
  let workspace: FanOutWorkspace;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    await emptyFanOut(database);
    workspace = await newFanOutWorkspace(database);
  });

  const dump = () => dumpFanOut(database.read);
  /** Which event goes to whom, and how. */
  const told = async () =>
    (await dump()).deliveries
      .map(({ event, channel, target_id }) => [event, channel, target_id])
      .sort((one, other) => (String(one) < String(other) ? -1 : 1));

  test("makes a delivery that is due at once for each registration that names the event or all", async () => {
    const named = await workspace.addWebhook(["user.removed", "record.created"]);
    const all = await workspace.addWebhook(["*"]);
    await workspace.addWebhook(["record.updated"]);
    const beforeMs = Date.now();
    const [event] = await workspace.emit(happened("record.created"));

    expect(await fanOut(database)).toBe(1);

    const { pending, deliveries, queue } = await dump();
    expect(pending).toEqual([]);
    expect(deliveries.map(({ target_id }) => target_id).sort()).toEqual([named, all].sort());
    for (const delivery of deliveries) {
      expect(delivery).toEqual({
        id: expect.stringMatching(/^dlv_/),
        workspace_id: workspace.id,
        event_id: event?.id,
        event: "record.created",
        channel: "webhook",
        target_id: expect.anything(),
        status: "pending",
        attempt_count: 0,
        created_at: expect.any(Number),
        finished_at: null,
      });
      expect(delivery.created_at).toBeGreaterThanOrEqual(beforeMs - 1);
      expect(delivery.created_at).toBeLessThanOrEqual(Date.now());
    }
    expect(queue).toEqual(
      deliveries.map(({ id, channel, target_id, created_at }) => ({
        delivery_id: id,
        channel,
        target_id,
        lane: 0,
        due_at: created_at,
        claim_id: null,
      })),
    );
    expect(await fanOut(database)).toBe(0);
    expect(await dump()).toEqual({ pending, deliveries, queue });
  });

  test("tells nobody of what happened before he was there, by the database's clock", async () => {
    const [event] = await workspace.emit(happened("record.created"));
    const at = event?.created_at ?? 0;
    const before = await workspace.addWebhook(["*"], { stands_since: at - 1 });
    const then = await workspace.addWebhook(["*"], { stands_since: at });
    await workspace.addWebhook(["*"], { stands_since: at + 1 });
    await workspace.addIntegration("slack", { events: ["record.created"] }, { stands_since: at + 1 });
    await fanOut(database);
    expect(await told()).toEqual(
      [before, then].sort().map((target) => ["record.created", "webhook", target]),
    );
  });

  test("tells each workspace of its own events only, and each target of what it names", async () => {
    const other = await newFanOutWorkspace(database);
    const own = await workspace.addWebhook(["record.created"]);
    const others = await other.addWebhook(["record.deleted"]);
    await workspace.emit(happened("record.created"), happened("record.deleted"));
    await other.emit(happened("record.created"), happened("record.deleted"));
    expect(await fanOut(database)).toBe(4);
    expect(await told()).toEqual([
      ["record.created", "webhook", own],
      ["record.deleted", "webhook", others],
    ]);
  });

  test.each(["slack", "discord", "zapier"])(
    "tells a %s integration of the events that it names",
    async (type) => {
      const id = await workspace.addIntegration(type, { events: ["record.created", "user.removed"] });
      await workspace.emit(happened("record.created"), happened("record.updated"), happened("user.removed"));
      await fanOut(database);
      expect(await told()).toEqual([
        ["record.created", type, id],
        ["user.removed", type, id],
      ]);
    },
  );

  test.each([
    ["names no events", "slack", {}, {}],
    ["names an empty list of events", "discord", { events: [] }, {}],
    ["is not authorized yet", "slack", { events: ["record.created"] }, { status: "pending_auth" }],
    ["is neither chat nor automation", "github", { events: ["record.created"] }, {}],
  ])("tells nothing to an integration that %s", async (_, type, config, columns) => {
    await workspace.addIntegration(type, config, columns);
    await workspace.emit(happened("record.created"));
    expect(await fanOut(database)).toBe(1);
    expect(await dump()).toEqual({ pending: [], deliveries: [], queue: [] });
  });

  test("tells nothing to a registration that is not active", async () => {
    await workspace.addWebhook(["*"], { status: "disabled" });
    await workspace.emit(happened("record.created"));
    expect(await fanOut(database)).toBe(1);
    expect(await dump()).toEqual({ pending: [], deliveries: [], queue: [] });
  });

  test("mails each user who was invited, beside those that hear of it", async () => {
    const webhook = await workspace.addWebhook(["user.invited"]);
    await workspace.emit(
      happened("user.invited", "usr_1"),
      happened("user.removed", "usr_3"),
      happened("user.invited", "usr_2"),
    );
    expect(await fanOut(database)).toBe(3);
    expect(await told()).toEqual([
      ["user.invited", "mail", "usr_1"],
      ["user.invited", "mail", "usr_2"],
      ["user.invited", "webhook", webhook],
      ["user.invited", "webhook", webhook],
    ]);
  });

  test("sends nothing twice where an event waits again that was dealt with, but what is new", async () => {
    await workspace.addWebhook(["*"]);
    const [event] = await workspace.emit(happened("record.created"));
    await fanOut(database);
    const before = await dump();
    const late = await workspace.addWebhook(["*"]);
    await database.transaction((transaction) =>
      transaction.execute(
        "INSERT INTO pending_events SELECT id, workspace_id, event, created_at FROM events WHERE id = ?",
        [event?.id ?? ""],
      ),
    );
    expect(await fanOut(database)).toBe(1);
    const { pending, deliveries, queue } = await dump();
    expect(pending).toEqual([]);
    expect(deliveries).toEqual([...before.deliveries, expect.objectContaining({ target_id: late })]);
    expect(queue).toEqual([...before.queue, expect.objectContaining({ target_id: late })]);
  });

  test("takes the oldest 200 events at a time", async () => {
    const target = await workspace.addWebhook(["*"]);
    const events = await workspace.emit(
      ...Array.from({ length: 401 }, (_, n) => happened("record.created", `rec_${n}`)),
    );
    const ids = events.map(({ id }) => id);
    const counts = [await fanOut(database)];
    expect((await dump()).pending.map(({ event_id }) => event_id)).toEqual(ids.slice(200));
    for (let i = 0; i < 3; i += 1) counts.push(await fanOut(database));
    expect(counts).toEqual([200, 200, 1, 0]);
    const { deliveries, queue } = await dump();
    expect(deliveries.map(({ event_id, target_id }) => [event_id, target_id])).toEqual(
      ids.map((id) => [id, target]),
    );
    expect(queue.map(({ delivery_id }) => delivery_id)).toEqual(deliveries.map(({ id }) => id));
  });

  test("takes fewer events at a time where each goes to many, and one at least", async () => {
    for (let n = 0; n < 300; n += 1) await workspace.addWebhook(["record.created"]);
    await workspace.emit(...Array(7).fill(happened("record.created")));
    const counts = [await fanOut(database), await fanOut(database), await fanOut(database)];
    expect(counts).toEqual([3, 3, 1]);
    expect((await dump()).queue).toHaveLength(7 * 300);
  });

  test("knows a registration as it stands, and none that was removed", async () => {
    const id = await workspace.addWebhook(["user.invited"], { secret: "sealed" });
    expect(await findWebhook(database.read, id)).toEqual({
      workspace_id: workspace.id,
      url: "https://receiver.test/hook",
      secret: "sealed",
      events: '["user.invited"]',
      status: "active",
    });
    await database.transaction((transaction) =>
      transaction.execute("DELETE FROM webhooks WHERE id = ?", [id]),
    );
    expect(await findWebhook(database.read, id)).toBeUndefined();
  });
});
