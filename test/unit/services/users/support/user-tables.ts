import type { Sql } from "../../../../../db/database.ts";
import type { EventRow } from "../../../../../mixins/event.entity.ts";
import type { PendingEventRow } from "../../../../../mixins/pending-event.entity.ts";
import type { ApiKeyRow } from "../../../../../services/keys/key.entity.ts";
import type { UserRow } from "../../../../../services/users/user.entity.ts";
import type { UserCountRow } from "../../../../../services/users/user-count.entity.ts";
import type { UserWordRow } from "../../../../../services/users/user-word.entity.ts";

/** Everything that a change of users writes. */
export interface UserTables {
  readonly users: UserRow[];
  readonly keys: ApiKeyRow[];
  readonly words: UserWordRow[];
  readonly counts: UserCountRow[];
  readonly events: EventRow[];
  readonly pending: PendingEventRow[];
}

/** All rows of one workspace, each table in the order of its key. */
export async function dumpUsers(sql: Sql, { workspaceId }: { workspaceId: string }): Promise<UserTables> {
  const rows = <Row>(table: string, key: string) =>
    sql.query<Row>(`SELECT * FROM ${table} WHERE workspace_id = ? ORDER BY ${key}`, [workspaceId]);
  return {
    users: await rows("users", "id"),
    keys: await rows("api_keys", "id"),
    words: await rows("user_words", "word, user_id"),
    counts: await rows("user_counts", "role, status, slot"),
    events: await rows("events", "id"),
    pending: await rows("pending_events", "event_id"),
  };
}

/** What the events say, in the order in which they were written. */
export function payloadsOf({ events }: UserTables) {
  return events.map(({ payload }): { event: string; data: Record<string, unknown> } => JSON.parse(payload));
}
