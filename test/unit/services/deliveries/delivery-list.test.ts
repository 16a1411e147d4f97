import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { insertRows } from "../../../../db/insert-rows.ts";
import { deliveryStatuses } from "../../../../lib/delivery-states.ts";
import { newId } from "../../../../lib/ids.ts";
import { stringifyOrdered } from "../../../../lib/ordered-json.ts";
import type { ListDeliveriesParams } from "../../../../services/deliveries/delivery.schema.ts";
import { getDelivery, listDeliveries } from "../../../../services/deliveries/delivery-list.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { growingSteps } from "../../../support/query-plan.ts";
import { type IssuedStatement, watchSql } from "../../../support/watched-sql.ts";
import { MADE_AT_MS, newRegistration, type Registration } from "./support/test-deliveries.ts";

describeOnBothDatabases("the deliveries of a registration", (open) => {
  const EVENTS = ["record.created", "record.updated", "user.removed"] as const;
  let database: Database;
  let registration: Registration;
  /** All of them, the oldest first. */
  const made: { id: string; event: string; status: string }[] = [];

  beforeAll(async () => {
    database = await open();
    registration = await newRegistration(database);
    const other = await newRegistration(database, registration.caller.workspaceId);
    for (let n = 0; n < 24; n += 1) {
      const event = EVENTS[n % 3] ?? "record.created";
      const status = deliveryStatuses[Math.floor(n / 3) % 4] ?? "failed";
      made.push({ id: await registration.add({ event, status }), event, status });
      if (n % 8 === 0) await other.add({ event, status });
    }
  });

  const list = (params: Omit<ListDeliveriesParams, "id"> = {}, { id, caller } = registration) =>
    listDeliveries(database.read, caller, { id, ...params });
  const ids = (items: readonly { id: string }[]) => items.map(({ id }) => id);

  test.each<[Omit<ListDeliveriesParams, "id">]>([
    [{}],
    [{ status: "failed" }],
    [{ event: "user.removed" }],
    [{ event: "record.created", status: "pending" }],
    [{ event: "integration.connected" }],
  ])("are those that %j asks for, in either order, by page and by cursor", async (filter) => {
    const wanted = made.filter(
      ({ event, status }) => (filter.event ?? event) === event && (filter.status ?? status) === status,
    );
    for (const order of ["asc", "desc"] as const) {
      const expected = ids(order === "asc" ? wanted : wanted.toReversed());
      const whole = await list({ ...filter, order, per_page: 100 });
      expect(ids(whole.items)).toEqual(expected);
      expect(whole).toMatchObject({ page: 1, per_page: 100, total: expected.length, next_cursor: null });
      const second = await list({ ...filter, order, page: 2, per_page: 2 });
      expect(ids(second.items)).toEqual(expected.slice(2, 4));
      expect(await walk({ ...filter, order, per_page: 2 })).toEqual(expected);
    }
  });

  async function walk(params: Omit<ListDeliveriesParams, "id">): Promise<string[]> {
    const seen: string[] = [];
    let page = await list(params);
    for (; page.next_cursor !== null; page = await list({ ...params, cursor: page.next_cursor })) {
      seen.push(...ids(page.items));
    }
    return [...seen, ...ids(page.items)];
  }

  test("come the oldest first, with the interface's members in its order and nothing else", async () => {
    const { items, ...meta } = await list();
    expect(ids(items)).toEqual(ids(made.slice(0, 20)));
    expect(meta).toEqual({ page: 1, per_page: 20, total: 24, next_cursor: expect.any(String) });
    for (const item of items) {
      expect(Object.keys(item)).toEqual(["id", "event", "status", "created_at", "next_attempt_at"]);
    }
  });

  test.each([
    ["is waiting", "pending", { dueAtMs: MADE_AT_MS + 5_000, claimId: null }, "2026-11-21T03:48:16.966Z"],
    ["is being sent", "pending", { dueAtMs: MADE_AT_MS + 5_000, claimId: "claim" }, null],
    ["succeeded", "succeeded", undefined, null],
    ["failed", "failed", undefined, null],
    ["was cancelled", "cancelled", undefined, null],
  ] as const)("say when the next attempt is due of one that %s", async (_, status, queued, expected) => {
    const own = await newRegistration(database);
    const id = await own.add({ status, queued });
    const item = {
      ...{ id, event: "record.created", status },
      ...{ created_at: "2026-11-21T03:48:11.966Z", next_attempt_at: expected },
    };
    expect((await list({}, own)).items).toEqual([item]);
    expect(await getDelivery(database.read, own.caller, { id: own.id, delivery_id: id })).toMatchObject(item);
  });

  test("are read and counted from indexes alone, whatever the filter", async () => {
    const issued: IssuedStatement[] = [];
    const sql = watchSql(database.read, issued);
    for (const filter of [{}, { status: "failed" }, { event: "user.removed" }] as const) {
      await listDeliveries(sql, registration.caller, {
        id: registration.id,
        page: 2,
        per_page: 2,
        ...filter,
      });
    }
    expect(issued.length).toBeGreaterThan(9);
    for (const each of issued) expect(await growingSteps(database.read, each)).toEqual([]);
  });

  test("are counted to 10,000 and no further, and pages reach beyond", async () => {
    const many = await newRegistration(database);
    const all = Array.from({ length: 10_010 }, () => newId("delivery"));
    const { id: targetId, caller } = many;
    const rows = all.map((id, n) => [
      ...[id, caller.workspaceId, newId("event"), EVENTS[n % 2] ?? "", "webhook", targetId],
      ...["failed", 4, MADE_AT_MS, MADE_AT_MS],
    ]);
    const columns = ["id", "workspace_id", "event_id", "event", "channel", "target_id"];
    columns.push("status", "attempt_count", "created_at", "finished_at");
    await database.transaction((transaction) => insertRows(transaction, "deliveries", columns, rows));
    for (const filter of [{}, { status: "failed" }] as const) {
      const page = await list({ ...filter, page: 101, per_page: 100 }, many);
      expect(ids(page.items)).toEqual(all.slice(10_000));
      expect(page).toMatchObject({ total: 10_000, next_cursor: null });
      const back = await list({ ...filter, order: "desc", page: 60, per_page: 100 }, many);
      expect(ids(back.items)).toEqual(all.toReversed().slice(5_900, 6_000));
      expect((await list({ ...filter, page: 1_000, per_page: 100 }, many)).items).toEqual([]);
    }
  });

  test("are refused with another filter's cursor, too deep a page, and for whoever lacks the registration", async () => {
    const { next_cursor } = await list({ per_page: 1 });
    const invalid = (path: string) => ({ errorCode: "invalid_request", details: [{ path }] });
    const cursor = next_cursor ?? "";
    await expect(list({ cursor, status: "failed" })).rejects.toMatchObject(invalid("cursor"));
    await expect(list({ cursor, order: "desc" })).rejects.toMatchObject(invalid("cursor"));
    await expect(list({ page: 5_001 })).rejects.toMatchObject(invalid("page"));
    const { caller } = await newRegistration(database);
    for (const asked of [
      { caller, id: registration.id },
      { caller: registration.caller, id: newId("webhook") },
    ]) {
      const refused = { errorCode: "not_found", message: "No webhook with this id." };
      await expect(list({}, { ...registration, ...asked })).rejects.toMatchObject(refused);
    }
  });

  describe("one alone", () => {
    const get = (delivery_id: string, { id, caller } = registration) =>
      getDelivery(database.read, caller, { id, delivery_id });

    test("has the payload as receivers get it and its attempts, the oldest first", async () => {
      const payload = '{"event":"record.created","data":{"b":"1","10":"2","2":"3"}}';
      const attempts = [
        { durationMs: 5_000, statusCode: null, error: "timeout", response: null },
        { durationMs: 12, statusCode: 500, error: "status", response: "Nö" },
        { durationMs: 7, statusCode: 204, error: null, response: "" },
      ];
      const shown = await get(await registration.add({ payload, attempts }));
      expect(Object.keys(shown).slice(5)).toEqual(["payload", "attempts"]);
      expect(stringifyOrdered(shown.payload)).toBe(payload);
      expect(shown.attempts).toEqual([
        {
          at: "2026-11-21T03:48:11.966Z",
          duration_ms: 5_000,
          status_code: null,
          error: "timeout",
          response: null,
        },
        {
          at: "2026-11-21T03:48:11.967Z",
          duration_ms: 12,
          status_code: 500,
          error: "status",
          response: "Nö",
        },
        { at: "2026-11-21T03:48:11.968Z", duration_ms: 7, status_code: 204, error: null, response: "" },
      ]);
    });

    test("has the last hundred attempts, and no payload where the event is not kept any more", async () => {
      const attempts = Array.from({ length: 103 }, (_, durationMs) => ({ durationMs }));
      const shown = await get(await registration.add({ payload: null, attempts }));
      expect(shown.payload).toBeNull();
      expect(shown.attempts.map(({ duration_ms }) => duration_ms)).toEqual(
        attempts.map(({ durationMs }) => durationMs).slice(3),
      );
    });

    test("is not found under another registration, nor for another workspace", async () => {
      const other = await newRegistration(database, registration.caller.workspaceId);
      const stranger = await newRegistration(database);
      const [{ id } = { id: "" }] = made;
      await expect(get(id, other)).rejects.toMatchObject({ message: "No delivery with this id." });
      await expect(get(id, stranger)).rejects.toMatchObject({ message: "No delivery with this id." });
      await expect(get(id, { ...registration, caller: stranger.caller })).rejects.toMatchObject({
        message: "No webhook with this id.",
      });
    });
  });
});
