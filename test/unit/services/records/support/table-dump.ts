import type { Sql } from "../../../../../db/database.ts";
import type { EventRow } from "../../../../../mixins/event.entity.ts";
import type { PendingEventRow } from "../../../../../mixins/pending-event.entity.ts";
import type { RecordRow } from "../../../../../services/records/record.entity.ts";
import type { RecordCountRow } from "../../../../../services/records/record-count.entity.ts";
import type { RecordWordRow } from "../../../../../services/records/record-word.entity.ts";

/** Everything that a change of records writes. */
export interface TableDump {
  readonly records: RecordRow[];
  readonly words: RecordWordRow[];
  readonly counts: RecordCountRow[];
  readonly events: EventRow[];
  readonly pending: PendingEventRow[];
}

/** All rows of one workspace, each table in the order of its key. */
export async function dumpTables(sql: Sql, { workspaceId }: { workspaceId: string }): Promise<TableDump> {
  const rows = <Row>(table: string, key: string) =>
    sql.query<Row>(`SELECT * FROM ${table} WHERE workspace_id = ? ORDER BY ${key}`, [workspaceId]);
  return {
    records: await rows("records", "id"),
    words: await rows("record_words", "word, record_id"),
    counts: await rows("record_counts", "type, status, slot"),
    events: await rows("events", "id"),
    pending: await rows("pending_events", "event_id"),
  };
}
