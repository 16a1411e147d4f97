import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Database, Transaction } from "../../../db/database.ts";
import type { Caller } from "../../../lib/caller.ts";
import type { EventName } from "../../../lib/event-names.ts";
import { idTimeMs } from "../../../lib/ids.ts";
import { parseOrdered } from "../../../lib/ordered-json.ts";
import type { EventRow } from "../../../mixins/event.entity.ts";
import { Outbox, type OutboxEvent, type OutboxNotice } from "../../../mixins/outbox.ts";
import type { PendingEventRow } from "../../../mixins/pending-event.entity.ts";
import { describeOnBothDatabases, openFreshSqlite } from "../../support/databases.ts";

const caller: Caller = { workspaceId: "ws_1", userId: "usr_1", keyId: "key_1", role: "admin" };

const created = (id: string): OutboxEvent => ({ event: "record.created", data: { id } });

const put = (transaction: Transaction) =>
  transaction.execute("INSERT INTO settings (name, value) VALUES ('row', '1')");

describeOnBothDatabases("the outbox", (open) => {
  let database: Database;
  let outbox: Outbox;
  let notices: [EventName, OutboxNotice][];

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    await database.transaction(async (transaction) => {
      for (const table of ["settings", "events", "pending_events"]) {
        await transaction.execute(`DELETE FROM ${table}`);
      }
    });
    notices = [];
    outbox = new Outbox(database, (...notice) => notices.push(notice));
  });

  const events = () => database.read.query<EventRow>("SELECT * FROM events ORDER BY id");
  const rows = () => database.read.query("SELECT name FROM settings");
  /** Those of which nobody has made deliveries. */
  const pending = () =>
    database.read.query<PendingEventRow>("SELECT * FROM pending_events ORDER BY event_id");
  const pendingOf = (stored: readonly EventRow[]) =>
    stored.map(({ id, workspace_id, event, created_at }) => ({
      event_id: id,
      workspace_id,
      event,
      created_at,
    }));

  test("writes rows and the events that tell of them together, and gives what the work gives", async () => {
    const result = await outbox.transaction(caller, async (transaction) => {
      await put(transaction);
      await transaction.emit([created("rec_1")]);
      return "result";
    });
    expect(result).toBe("result");
    expect(await rows()).toEqual([{ name: "row" }]);
    const [event, ...others] = await events();
    expect(event).toMatchObject({
      id: expect.stringMatching(/^evt_/),
      workspace_id: "ws_1",
      event: "record.created",
    });
    expect(others).toEqual([]);
    expect(await pending()).toEqual(pendingOf(await events()));
    expect(notices).toEqual([["record.created", { ids: [event?.id] }]]);
  });

  test.each([
    [
      "after its events",
      async (transaction: Transaction) => transaction.execute("INSERT INTO nowhere VALUES (1)"),
    ],
    ["by itself", () => Promise.reject(new Error("mine"))],
  ])("leaves neither row nor event nor notice of work that fails %s", async (_, fail) => {
    const asked = outbox.transaction(caller, async (transaction) => {
      await put(transaction);
      await transaction.emit([created("rec_1"), created("rec_2")]);
      await fail(transaction);
    });
    await expect(asked).rejects.toThrow();
    expect([await rows(), await events(), await pending(), notices]).toEqual([[], [], [], []]);
  });

  test("shows a transaction its own events, and others none before the commit", async () => {
    await outbox.transaction(caller, async (transaction) => {
      await transaction.emit([created("rec_1")]);
      expect(await transaction.query("SELECT id FROM events")).toHaveLength(1);
      expect(await events()).toEqual([]);
      expect(notices).toEqual([]);
    });
    expect(await events()).toHaveLength(1);
  });

  test("gives notice when everybody can read the event", async () => {
    const read: Promise<EventRow[]>[] = [];
    const attentive = new Outbox(database, (_, { ids }) => {
      read.push(database.read.query("SELECT * FROM events WHERE id = ?", [ids[0] ?? ""]));
    });
    await attentive.transaction(caller, (transaction) => transaction.emit([created("rec_1")]));
    expect(await Promise.all(read)).toEqual([[expect.objectContaining({ event: "record.created" })]]);
  });

  test("tells of work that had to begin anew only what its last run did", async () => {
    let runs = 0;
    await outbox.transaction(caller, async (transaction) => {
      runs += 1;
      await transaction.emit(runs === 1 ? [created("rec_1"), created("rec_2")] : [created("rec_3")]);
      if (runs > 1) return;
      transaction.expectChanges(1_000_000);
      throw Object.assign(new Error("Deadlock found"), { code: "ER_LOCK_DEADLOCK" });
    });
    expect(runs).toBe(2);
    const [event, ...others] = await events();
    expect(others).toEqual([]);
    expect(JSON.parse(event?.payload ?? "").data).toEqual({ id: "rec_3" });
    expect(notices).toEqual([["record.created", { ids: [event?.id] }]]);
  });

  test("dates events by the database's clock, whatever the node's says", async () => {
    const wrong = new Outbox(
      database,
      () => {},
      () => Date.parse("2001-02-03T04:05:06.789Z"),
    );
    const beforeMs = Date.now();
    await wrong.transaction(caller, (transaction) => transaction.emit([created("rec_1")]));
    const [event] = await events();
    expect(event?.created_at).toBeGreaterThanOrEqual(beforeMs - 1);
    expect(event?.created_at).toBeLessThanOrEqual(Date.now());
    expect(JSON.parse(event?.payload ?? "").timestamp).toBe("2001-02-03T04:05:06.789Z");
  });

  test("stores the bytes that receivers get: the members in their order, the data as it was given", async () => {
    const nowMs = Date.now() + 1_000;
    const data = parseOrdered<Record<string, unknown>>(
      '{"id":"rec_1","name":"A \\"B\\" \u{1f600}","fields":{"z":"1","10":"2","a":"3","__proto__":"4"},"created_by":"usr_1"}',
    );
    const dated = new Outbox(
      database,
      () => {},
      () => nowMs,
    );
    await dated.transaction(caller, (transaction) => transaction.emit([{ event: "record.updated", data }]));
    const [event] = await events();
    expect(event?.payload).toBe(
      `{"event":"record.updated","timestamp":"${new Date(nowMs).toISOString()}","workspace_id":"ws_1",` +
        '"data":{"id":"rec_1","name":"A \\"B\\" \u{1f600}","fields":{"z":"1","10":"2","a":"3","__proto__":"4"},"created_by":"usr_1"}}',
    );
    expect(idTimeMs("event", event?.id ?? "")).toBe(nowMs);
  });

  test("keeps a thousand events in the order in which they were told, with one notice of all", async () => {
    const ids = Array.from({ length: 1_000 }, (_, n) => `rec_${n}`);
    await outbox.transaction(caller, (transaction) => transaction.emit(ids.map(created)));
    const stored = await events();
    expect(stored.map(({ payload }) => JSON.parse(payload).data.id)).toEqual(ids);
    expect(await pending()).toEqual(pendingOf(stored));
    expect(notices).toEqual([["record.created", { ids: stored.map(({ id }) => id) }]]);
  });

  test("gives one notice for each kind of event, however often something was emitted", async () => {
    await outbox.transaction(caller, async (transaction) => {
      await transaction.emit([created("rec_1"), { event: "record.deleted", data: { id: "rec_2" } }]);
      await transaction.emit([created("rec_3")]);
    });
    const stored = await events();
    const idsOf = (name: EventName) => stored.filter(({ event }) => event === name).map(({ id }) => id);
    expect(notices).toEqual([
      ["record.created", { ids: idsOf("record.created") }],
      ["record.deleted", { ids: idsOf("record.deleted") }],
    ]);
    expect(idsOf("record.created")).toHaveLength(2);
  });

  test("says nothing where nothing was emitted", async () => {
    await outbox.transaction(caller, async (transaction) => {
      await put(transaction);
      await transaction.emit([]);
    });
    expect(await rows()).toHaveLength(1);
    expect([await events(), notices]).toEqual([[], []]);
  });

  test("keeps the work of many at once apart", async () => {
    const settled = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        outbox.transaction({ ...caller, workspaceId: `ws_${n}` }, async (transaction) => {
          await transaction.emit([created(`rec_${n}`)]);
          if (n % 2 === 1) throw new Error("mine");
        }),
      ),
    );
    expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(20);
    const stored = await events();
    expect(stored).toHaveLength(20);
    expect(await pending()).toEqual(pendingOf(stored));
    for (const { workspace_id, payload } of stored) {
      const n = workspace_id.slice("ws_".length);
      expect(Number(n) % 2).toBe(0);
      expect(JSON.parse(payload)).toMatchObject({ workspace_id, data: { id: `rec_${n}` } });
    }
    expect(notices.flatMap(([, { ids }]) => ids).sort()).toEqual(stored.map(({ id }) => id));
  });
});

describe("an outbox whose commit fails", () => {
  test("gives no notice, and the error to whoever asked", async () => {
    const database = await openFreshSqlite();
    const error = new Error("the disk is full");
    const broken: Database = {
      ...database,
      transaction: async (work) => {
        await database.transaction(work);
        throw error;
      },
    };
    const notices: unknown[] = [];
    const outbox = new Outbox(broken, (event) => notices.push(event));
    const asked = outbox.transaction(caller, (transaction) => transaction.emit([created("rec_1")]));
    await expect(asked).rejects.toBe(error);
    expect(notices).toEqual([]);
  });
});
