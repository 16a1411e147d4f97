import { expect } from "@jest/globals";
import type { RecordRow } from "../../../../services/records/record.entity.ts";
import type { TableDump } from "../../../unit/services/records/support/table-dump.ts";
import type { Outcome as AnyOutcome } from "../../scenarios/scenario-runner.ts";
import { userOf } from "../../scenarios/sides.ts";
import type { EndpointName } from "./endpoints.ts";
import { bulkCreateText, bulkDeleteText, eventText, itemText, listText } from "./record-text.ts";
import type { Stored, Success } from "./scenario.ts";
import type { World } from "./world.ts";

type Outcome = AnyOutcome<EndpointName, World, Success, TableDump>;

/**
 * A success leaves exactly the records that it should, tells of each in one event and of nothing else, counts
 * them, and answers with what is now stored, byte for byte in the interface's shape.
 */
export function checkSuccess(outcome: Outcome): void {
  const { answer, expected, after } = outcome;
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status: expected.status });
  checkRecords(outcome);
  expect(eventsOf(outcome)).toEqual(expectedEvents(outcome));
  expect(countsOf(after)).toEqual(tallyOf(after.records));
  expect(answer.text).toBe(expectedText(outcome));
  if (answer.text !== "") expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
}

interface Changes {
  readonly created: RecordRow[];
  readonly updated: RecordRow[];
  readonly removed: RecordRow[];
}

function changesOf({ before, after }: Outcome): Changes {
  const old = new Map(before.records.map((row) => [row.id, row]));
  const kept = new Set(after.records.map(({ id }) => id));
  return {
    created: after.records.filter(({ id }) => !old.has(id)),
    updated: after.records.filter((row) => old.has(row.id) && old.get(row.id)?.updated_at !== row.updated_at),
    removed: before.records.filter(({ id }) => !kept.has(id)),
  };
}

function checkRecords(outcome: Outcome): void {
  const { expected, world, parts, before, after } = outcome;
  const { created, removed, updated } = changesOf(outcome);
  expect(created.map(storedOf)).toEqual((expected.creates ?? []).map(withFieldsText));
  for (const { id, created_at, updated_at } of created) {
    expect(id).toMatch(/^rec_[0-9A-HJKMNP-TV-Z]{26}$/);
    expect(updated_at).toBe(created_at);
  }
  expect(removed.map(({ id }) => id)).toEqual([...(expected.removes?.(world) ?? [])].sort());

  const target = before.records.find(({ id }) => id === parts.id);
  const changed = expected.updates && target ? { ...storedOf(target), ...expected.updates } : undefined;
  expect(updated.map((row) => ({ id: row.id, ...storedOf(row) }))).toEqual(
    changed ? [{ id: parts.id, ...withFieldsText(changed) }] : [],
  );
  for (const { created_at, updated_at } of updated) {
    expect(created_at).toBe(target?.created_at);
    expect(updated_at).toBeGreaterThan(target?.updated_at ?? Number.POSITIVE_INFINITY);
  }
  const untouched = new Set([...created, ...updated, ...removed].map(({ id }) => id));
  const others = (rows: readonly RecordRow[]) => rows.filter(({ id }) => !untouched.has(id));
  expect(others(after.records)).toStrictEqual(others(before.records));
}

function storedOf({ name, type, status, fields, tags }: RecordRow): Stored {
  return { name, type, status, fields, tags: JSON.parse(tags) };
}

function withFieldsText({ fields, ...rest }: Stored): Stored {
  return { ...rest, fields: typeof fields === "string" ? fields : JSON.stringify(fields) };
}

/** The events that the request added. Those before it are as they were. */
function eventsOf({ before, after }: Outcome): string[] {
  expect(after.events.slice(0, before.events.length)).toStrictEqual(before.events);
  return after.events.slice(before.events.length).map(({ event, payload }) => {
    const { timestamp }: { timestamp: string } = JSON.parse(payload);
    expect(timestamp).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    return `${event} ${payload.replace(timestamp, "…")}`;
  });
}

function expectedEvents(outcome: Outcome): string[] {
  const { world, parts } = outcome;
  const { created, updated, removed } = changesOf(outcome);
  const actor = userOf(world.home, parts.as);
  const text = (event: string, member: string) => (row: RecordRow) =>
    `${event} ${eventText(event, world.home.workspaceId, row, member, actor)}`;
  return [
    ...created.map(text("record.created", "created_by")),
    ...updated.map(text("record.updated", "updated_by")),
    ...removed.map(text("record.deleted", "deleted_by")),
  ];
}

type Counts = Record<string, number>;

/** What the counters say, by type and status; those under the empty type are sums over all types. */
function countsOf({ counts }: TableDump): Counts {
  const sums: Counts = {};
  for (const { type, status, count } of counts) add(sums, type, status, count);
  return sums;
}

function tallyOf(rows: readonly RecordRow[]): Counts {
  const sums: Counts = {};
  for (const { type, status } of rows) {
    add(sums, type, status, 1);
    add(sums, "", status, 1);
  }
  return sums;
}

function add(sums: Counts, type: string, status: string, count: number): void {
  const key = JSON.stringify([type, status]);
  sums[key] = (sums[key] ?? 0) + count;
}

/** The whole answer, made from what the database has now. */
function expectedText(outcome: Outcome): string {
  const { at, answer, expected, parts, after } = outcome;
  const byId = (id: string) => after.records.filter((row) => row.id === id);
  switch (at) {
    case "GET /v1/data": {
      const shown = (expected.shows ?? []).flatMap((name) =>
        after.records.filter((row) => row.name === name),
      );
      const usual = { page: 1, per_page: 20, total: shown.length, next_cursor: null };
      // A cursor's form is nobody's business: any text will do where one is due.
      const isDue = expected.meta?.next_cursor === "some" && typeof answer.body.meta.next_cursor === "string";
      const cursor = isDue ? { next_cursor: answer.body.meta.next_cursor } : {};
      return listText(shown, { ...usual, ...expected.meta, ...cursor });
    }
    case "GET /v1/data/:id":
    case "PATCH /v1/data/:id":
      return byId(parts.id).map(itemText).join();
    case "POST /v1/data":
      return changesOf(outcome).created.map(itemText).join();
    case "POST /v1/data/bulk-create":
      return bulkCreateText(changesOf(outcome).created);
    case "DELETE /v1/data/bulk-delete":
      return bulkDeleteText(expected.meta);
    case "DELETE /v1/data/:id":
      return "";
  }
}
