import type { Database, Sql, SqlValue } from "../../../../../db/database.ts";
import { insertRows } from "../../../../../db/insert-rows.ts";
import type { Caller } from "../../../../../lib/caller.ts";
import { type IdKind, newId } from "../../../../../lib/ids.ts";
import type { EventRow } from "../../../../../mixins/event.entity.ts";
import { Outbox, type OutboxEvent } from "../../../../../mixins/outbox.ts";
import type { DeliveryRow } from "../../../../../services/dispatcher/delivery.entity.ts";
import type { QueuedRow } from "../../../../../services/dispatcher/delivery-queue.entity.ts";
import { insertWorkspace } from "../../../../../services/workspaces/workspace.repository.ts";

/** A workspace of a test's own, in which things happen that others may be told of. */
export interface FanOutWorkspace {
  readonly id: string;
  /** Writes events as every service does, in one transaction; gives their rows. */
  emit(...events: readonly OutboxEvent[]): Promise<EventRow[]>;
  /** Registers an address; gives the registration's id. */
  addWebhook(events: readonly string[], columns?: Columns): Promise<string>;
  /** Connects a provider; gives the integration's id. */
  addIntegration(type: string, config: object, columns?: Columns): Promise<string>;
}

type Columns = Readonly<Record<string, SqlValue>>;

/** Since before anything happened. */
const ALWAYS = 0;

export async function newFanOutWorkspace(database: Database): Promise<FanOutWorkspace> {
  const id = newId("workspace");
  const caller: Caller = { workspaceId: id, userId: newId("user"), keyId: newId("key"), role: "admin" };
  const outbox = new Outbox(database, () => {});
  const add = async (kind: IdKind, table: string, columns: Columns) => {
    const row: Columns = {
      id: newId(kind),
      workspace_id: id,
      stands_since: ALWAYS,
      created_at: 0,
      ...columns,
    };
    await database.transaction((transaction) =>
      insertRows(transaction, table, Object.keys(row), [Object.values(row)]),
    );
    return String(row.id);
  };
  await database.transaction((transaction) =>
    insertWorkspace(transaction, { id, name: "Test", created_at: 0 }),
  );
  return {
    id,
    emit: (...events) =>
      outbox.transaction(caller, async (transaction) => {
        await transaction.emit(events);
        const rows = await transaction.query<EventRow>(
          "SELECT * FROM events WHERE workspace_id = ? ORDER BY id DESC LIMIT ?",
          [id, events.length],
        );
        return rows.reverse();
      }),
    addWebhook: (events, columns = {}) =>
      add("webhook", "webhooks", {
        url: "https://receiver.test/hook",
        events: JSON.stringify(events),
        status: "active",
        ...columns,
      }),
    addIntegration: (type, config, columns = {}) =>
      add("integration", "integrations", {
        type,
        status: "connected",
        config: JSON.stringify(config),
        updated_at: 0,
        ...columns,
      }),
  };
}

/** What a fan-out changes, whichever workspace it concerns. */
export interface FanOutTables {
  readonly pending: { event_id: string }[];
  readonly deliveries: DeliveryRow[];
  readonly queue: QueuedRow[];
}

export async function dumpFanOut(sql: Sql): Promise<FanOutTables> {
  return {
    pending: await sql.query("SELECT event_id FROM pending_events ORDER BY event_id"),
    deliveries: await sql.query("SELECT * FROM deliveries ORDER BY id"),
    queue: await sql.query("SELECT * FROM delivery_queue ORDER BY delivery_id"),
  };
}

export async function emptyFanOut(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    for (const table of ["pending_events", "delivery_queue", "deliveries"]) {
      await transaction.execute(`DELETE FROM ${table}`);
    }
  });
}
