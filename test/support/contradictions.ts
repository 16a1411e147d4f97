import { isDeepStrictEqual } from "node:util";
import type { Database, Sql } from "../../db/database.ts";
import type { EventRow } from "../../mixins/event.entity.ts";
import type { RecordRow } from "../../services/records/record.entity.ts";
import type { RecordResource } from "../../services/records/record.schema.ts";
import type { RecordCountRow } from "../../services/records/record-count.entity.ts";
import { toResource } from "../../services/records/record-view.ts";
import type { RecordWordRow } from "../../services/records/record-word.entity.ts";
import { findableWords } from "../../services/records/record-words.ts";

/** What an event of a record says. */
export interface RecordEvent {
  readonly event: string;
  readonly data: RecordResource & Readonly<Record<string, unknown>>;
}

/**
 * Everything in which the tables contradict each other: counters, index words and events, each against the
 * rows. Empty where each write is there wholly or not at all.
 */
export async function contradictions({ read }: Database): Promise<string[]> {
  const rows = await read.query<RecordRow>("SELECT * FROM records ORDER BY id");
  return [
    ...(await countContradictions(read, rows)),
    ...(await wordContradictions(read, rows)),
    ...(await eventContradictions(read, rows)),
  ];
}

/** All events of records, in the order in which they were written by one process. */
export async function recordEvents(sql: Sql): Promise<RecordEvent[]> {
  const rows = await sql.query<EventRow>("SELECT * FROM events ORDER BY id");
  return rows.map(({ payload }): RecordEvent => JSON.parse(payload));
}

/** An event in a word: a record never has the same `updated_at` twice. */
export function eventKey(event: string, { id, updated_at }: RecordResource): string {
  return `${event} ${id} ${updated_at}`;
}

async function countContradictions(sql: Sql, rows: readonly RecordRow[]): Promise<string[]> {
  const expected = new Map<string, number>();
  const add = (to: Map<string, number>, key: string, by: number) => to.set(key, (to.get(key) ?? 0) + by);
  for (const { workspace_id, type, status } of rows) {
    for (const counted of [type, ""]) add(expected, `${workspace_id} "${counted}" ${status}`, 1);
  }
  const actual = new Map<string, number>();
  const faults: string[] = [];
  for (const row of await sql.query<RecordCountRow>("SELECT * FROM record_counts")) {
    add(actual, `${row.workspace_id} "${row.type}" ${row.status}`, row.count);
    if (row.count === 0) faults.push(`a counter of nothing is left for "${row.type}"`);
  }
  for (const key of new Set([...expected.keys(), ...actual.keys()])) {
    const [counted, there] = [actual.get(key) ?? 0, expected.get(key) ?? 0];
    if (counted !== there) faults.push(`counted ${counted} of ${key}, there are ${there}`);
  }
  return faults;
}

async function wordContradictions(sql: Sql, rows: readonly RecordRow[]): Promise<string[]> {
  const expected = new Set<string>();
  const faults: string[] = [];
  for (const { id, workspace_id, name, fields, words } of rows) {
    if (words !== findableWords(name, JSON.parse(fields))) faults.push(`${id} has the words of other texts`);
    for (const word of words.split(" ").slice(1)) expected.add(`${workspace_id} ${word} ${id}`);
  }
  for (const entry of await sql.query<RecordWordRow>("SELECT * FROM record_words")) {
    const key = `${entry.workspace_id} ${entry.word} ${entry.record_id}`;
    if (!expected.delete(key)) faults.push(`the index has ${key}, the rows do not`);
  }
  return [...faults, ...[...expected].map((key) => `the index lacks ${key}`)];
}

/** Told from the first event to the last, the story must end with the rows as they are. */
async function eventContradictions(sql: Sql, rows: readonly RecordRow[]): Promise<string[]> {
  const told = new Map<string, RecordResource>();
  const faults: string[] = [];
  for (const { event, data } of await recordEvents(sql)) {
    const { created_by, updated_by, deleted_by, ...resource } = data;
    const isKnown = told.has(data.id);
    if (isKnown === (event === "record.created")) faults.push(`${event} of ${data.id} came out of turn`);
    if (event === "record.deleted") told.delete(data.id);
    else told.set(data.id, resource);
  }
  for (const row of rows) {
    const resource = toResource(row);
    if (!isDeepStrictEqual(told.get(row.id), resource)) faults.push(`no event tells of ${row.id} as it is`);
    told.delete(row.id);
  }
  return [...faults, ...[...told.keys()].map((id) => `events tell of ${id}, which is not there`)];
}
