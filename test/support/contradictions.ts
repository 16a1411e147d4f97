import { isDeepStrictEqual } from "node:util";
import type { Database, Sql } from "../../db/database.ts";
import type { EventRow } from "../../mixins/event.entity.ts";
import type { RecordRow } from "../../services/records/record.entity.ts";
import type { RecordResource } from "../../services/records/record.schema.ts";
import { recordListing } from "../../services/records/record-listing.ts";
import { toResource } from "../../services/records/record-view.ts";
import { searchedTexts } from "../../services/records/record-words.ts";
import type { UserRow } from "../../services/users/user.entity.ts";
import { searchedTexts as userTexts } from "../../services/users/user.repository.ts";
import { userListing } from "../../services/users/user-listing.ts";
import { listingContradictions } from "./listing-contradictions.ts";

/** What an event of a record says. */
export interface RecordEvent {
  readonly event: string;
  readonly data: RecordResource & Readonly<Record<string, unknown>>;
}

/**
 * Everything in which the tables contradict each other: counters and index words of records and users, and the
 * events of records, each against the rows. Empty where each write is there wholly or not at all.
 */
export async function contradictions({ read }: Database): Promise<string[]> {
  const rows = await read.query<RecordRow>("SELECT * FROM records ORDER BY id");
  return [
    ...(await recordContradictions(read, rows)),
    ...(await eventContradictions(read, rows)),
    ...(await userContradictions(read)),
  ];
}

/** All events of records, in the order in which they were written by one process. */
export async function recordEvents(sql: Sql): Promise<RecordEvent[]> {
  const rows = await sql.query<EventRow>("SELECT * FROM events WHERE event LIKE 'record.%' ORDER BY id");
  return rows.map(({ payload }): RecordEvent => JSON.parse(payload));
}

/** An event in a word: a record never has the same `updated_at` twice. */
export function eventKey(event: string, { id, updated_at }: RecordResource): string {
  return `${event} ${id} ${updated_at}`;
}

function recordContradictions(sql: Sql, rows: readonly RecordRow[]): Promise<string[]> {
  const listed = rows.map((row) => ({
    ...row,
    group: row.type,
    texts: searchedTexts(row.name, JSON.parse(row.fields)),
  }));
  return listingContradictions(sql, recordListing, listed);
}

async function userContradictions(sql: Sql): Promise<string[]> {
  const rows = await sql.query<UserRow>("SELECT * FROM users ORDER BY id");
  const listed = rows.map((row) => ({ ...row, group: row.role, texts: userTexts(row) }));
  return await listingContradictions(sql, userListing, listed);
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
