import { placeholders, type Sql } from "../../db/database.ts";

/** The bodies of events as they were made when the events were written, by event id. */
export async function findPayloads(
  sql: Sql,
  eventIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  if (eventIds.length === 0) return new Map();
  const ids = [...new Set(eventIds)];
  const rows = await sql.query<{ id: string; payload: string }>(
    `SELECT id, payload FROM events WHERE id IN (${placeholders(ids.length)})`,
    ids,
  );
  return new Map(rows.map(({ id, payload }) => [id, payload]));
}
