import { expect } from "@jest/globals";
import { cipherOf } from "../../../../mixins/secrets.middleware.ts";
import type { Outcome as AnyOutcome } from "../../scenarios/scenario-runner.ts";
import { userOf } from "../../scenarios/sides.ts";
import type { TableDump } from "./dump-tables.ts";
import { type EndpointName, kindOf } from "./endpoints.ts";
import { availableText, integrationKind, type KindTraits, userKind, webhookKind } from "./kinds.ts";
import type { Success } from "./scenario.ts";
import type { World } from "./world.ts";

type Outcome = AnyOutcome<EndpointName, World, Success, TableDump>;

/**
 * A success leaves exactly what it should, tells of it in the events that it should and of nothing else, keeps
 * counts and keys in step, and answers with what is now stored, byte for byte in the interface's shape.
 */
export function checkSuccess(outcome: Outcome): void {
  const { answer, expected } = outcome;
  expect({ status: answer.status, error: answer.body.error }).toEqual({ status: expected.status });
  switch (kindOf(outcome.at)) {
    case "users":
      checkKind(userKind, outcome);
      break;
    case "integrations":
      checkKind(integrationKind, outcome);
      break;
    case "webhooks":
      checkKind(webhookKind, outcome);
      break;
  }
  checkSideTables(outcome);
  if (answer.text !== "") expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
}

function checkKind<Row extends { readonly id: string }>(kind: KindTraits<Row>, outcome: Outcome): void {
  const { answer } = outcome;
  const changes = changesOf(kind, outcome);
  checkRows(kind, outcome, changes);
  expect(eventsOf(outcome)).toEqual(expectedEvents(kind, outcome, changes));
  expect(answer.text).toBe(expectedText(kind, outcome, changes));
  expect(answer.headers.location).toBe(expectedLocation(outcome, changes.created));
}

interface Changes<Row> {
  readonly created: readonly Row[];
  readonly updated: readonly Row[];
  readonly removed: readonly Row[];
}

function changesOf<Row extends { readonly id: string }>(
  kind: KindTraits<Row>,
  { before, after }: Outcome,
): Changes<Row> {
  const old = new Map(kind.rows(before).map((row) => [row.id, JSON.stringify(row)]));
  const kept = new Set(kind.rows(after).map(({ id }) => id));
  return {
    created: kind.rows(after).filter(({ id }) => !old.has(id)),
    updated: kind.rows(after).filter((row) => old.has(row.id) && old.get(row.id) !== JSON.stringify(row)),
    removed: kind.rows(before).filter(({ id }) => !kept.has(id)),
  };
}

function checkRows<Row extends { readonly id: string }>(
  kind: KindTraits<Row>,
  { broker, before, expected, parts, world }: Outcome,
  { created, updated, removed }: Changes<Row>,
): void {
  const stored = (row: Row) => kind.stored(row, cipherOf(broker));
  const creates = typeof expected.creates === "function" ? expected.creates(world) : expected.creates;
  expect(created.map(stored)).toEqual(creates ? [creates] : []);
  for (const row of created) {
    expect(row.id).toMatch(new RegExp(`^${kind.idPrefix}[0-9A-HJKMNP-TV-Z]{26}$`));
    expect(new Set(kind.newTimes(row)).size).toBe(1);
  }
  expect(removed.map(({ id }) => id)).toEqual(expected.removes ? [parts.id] : []);

  const target = kind.rows(before).find(({ id }) => id === parts.id);
  const changed = expected.updates && target ? { ...stored(target), ...expected.updates } : undefined;
  expect(updated.map((row) => ({ id: row.id, ...stored(row) }))).toEqual(
    changed ? [{ id: parts.id, ...changed }] : [],
  );
  if (!target) return;
  for (const row of updated) {
    expect(kind.lasting(row)).toEqual(kind.lasting(target));
    if (kind.updatedAt) expect(kind.updatedAt(row)).toBeGreaterThan(kind.updatedAt(target));
  }
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

/** An event's payload is the whole resource and the acting user; the time at which it happened is left out. */
function expectedEvents<Row extends { readonly id: string }>(
  kind: KindTraits<Row>,
  { world, parts }: Outcome,
  { created, removed }: Changes<Row>,
): string[] {
  const { workspaceId } = world.home;
  const actor = userOf(world.home, parts.as);
  const text = (row: Row, names: readonly [string, string] | undefined) => {
    if (!names) return [];
    const [event, actorMember] = names;
    const data = `{${kind.membersText(row)},"${actorMember}":"${actor}"}`;
    return [`${event} {"event":"${event}","timestamp":"…","workspace_id":"${workspaceId}","data":${data}}`];
  };
  return [
    ...created.flatMap((row) => text(row, kind.told(row))),
    ...removed.flatMap((row) => text(row, kind.toldGone)),
  ];
}

/** The whole answer, made from what the database has now. */
function expectedText<Row extends { readonly id: string }>(
  kind: KindTraits<Row>,
  outcome: Outcome,
  { created }: Changes<Row>,
): string {
  const { at, after, parts } = outcome;
  const item = (text: string) => `{"success":true,"data":{${text}}}`;
  if (at.startsWith("DELETE")) return "";
  if (at.startsWith("POST")) return created.map((row) => item(kind.membersText(row))).join();
  if (!at.endsWith("/:id")) return listText(kind, outcome);
  const row = kind.rows(after).find(({ id }) => id === parts.id);
  return item(row ? kind.membersText(row) : availableText(parts.id.replace(kind.idPrefix, "")));
}

function listText<Row extends { readonly id: string }>(
  kind: KindTraits<Row>,
  { expected, after, answer }: Outcome,
): string {
  const shown = expected.shows ?? [];
  const data = shown.map((label) => {
    const row = kind.rows(after).find((candidate) => kind.label(candidate) === label);
    return `{${row ? kind.membersText(row) : availableText(label)}}`;
  });
  const list = `{"success":true,"data":[${data.join(",")}]`;
  if (!kind.meta) return `${list}}`;
  // A cursor's form is nobody's business: any text will do where one is due.
  const isDue = expected.meta?.next_cursor === "some" && typeof answer.body.meta.next_cursor === "string";
  const cursor = isDue ? { next_cursor: answer.body.meta.next_cursor } : {};
  return `${list},"meta":${JSON.stringify({ ...kind.meta(shown.length), ...expected.meta, ...cursor })}}`;
}

/** Where what was created can be fetched, if it can. */
function expectedLocation({ at }: Outcome, created: readonly { readonly id: string }[]): string | undefined {
  const kind = kindOf(at);
  if (kind === "webhooks") return undefined;
  return created.map(({ id }) => `/v1/${kind}/${id}`).at(0);
}

/** What goes along with a change, and all that does not. */
function checkSideTables({ at, before, after }: Outcome): void {
  expect(after.others).toStrictEqual(before.others);
  const kind = kindOf(at);
  if (kind !== "users") expect(usersOf(after)).toStrictEqual(usersOf(before));
  if (kind !== "integrations") expect(after.integrations).toStrictEqual(before.integrations);
  if (kind !== "webhooks") expect(after.webhooks).toStrictEqual(before.webhooks);

  const users = new Set(after.users.map(({ id }) => id));
  expect(after.keys).toStrictEqual(before.keys.filter(({ user_id }) => users.has(user_id)));
  expect(wordsOf(after)).toEqual(
    after.users
      .flatMap(({ id, words }) =>
        (words ?? "")
          .trim()
          .split(" ")
          .map((word) => `${word} ${id}`),
      )
      .sort(),
  );
  expect(countsOf(after)).toEqual(tallyOf(after));
  expect(after.webhookCounts.map(({ count }) => count)).toEqual([after.webhooks.length]);
}

const usersOf = ({ users, userCounts, userWords }: TableDump) => ({ users, userCounts, userWords });

const wordsOf = ({ userWords }: TableDump) =>
  userWords.map(({ word, user_id }) => `${word} ${user_id}`).sort();

type Counts = Record<string, number>;

/** What the counters say, by role and status; those under the empty role are sums over all roles. */
function countsOf({ userCounts }: TableDump): Counts {
  const sums: Counts = {};
  for (const { role, status, count } of userCounts) add(sums, role, status, count);
  return Object.fromEntries(Object.entries(sums).filter(([, count]) => count !== 0));
}

function tallyOf({ users }: TableDump): Counts {
  const sums: Counts = {};
  for (const { role, status } of users) {
    add(sums, role, status, 1);
    add(sums, "", status, 1);
  }
  return sums;
}

function add(sums: Counts, role: string, status: string, count: number): void {
  const key = JSON.stringify([role, status]);
  sums[key] = (sums[key] ?? 0) + count;
}
