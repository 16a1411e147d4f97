import { placeholders, type Sql } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { ID_CHUNK_SIZES, inChunks } from "../../db/insert-rows.ts";
import type { Channel } from "./delivery.entity.ts";

/** The providers that are told of events: chat and automation. Each is sent to by the channel of its name. */
const toldProviders = ["slack", "discord", "zapier"] as const satisfies readonly Channel[];

/** What a registration's delivery needs to know of it right before it is sent. */
export interface WebhookTarget {
  workspace_id: string;
  url: string;
  /** Sealed; null where deliveries are not signed. */
  secret: string | null;
  /** JSON array of event names. */
  events: string;
  status: string;
}

/** A registration as it stands now; undefined where it was removed. */
export async function findWebhook(sql: Sql, id: string): Promise<WebhookTarget | undefined> {
  const [row] = await sql.query<WebhookTarget>(
    "SELECT workspace_id, url, secret, events, status FROM webhooks WHERE id = ?",
    [id],
  );
  return row;
}

/** A registration or an integration, as far as it matters for who is told of what. */
export interface Listener {
  readonly workspaceId: string;
  readonly targetId: string;
  readonly channel: Channel;
  /** Names of events; `*` is all of them. */
  readonly events: ReadonlySet<string>;
  /** By the database's clock: it is told of events from then on. */
  readonly standsSinceMs: number;
}

/** All that could be told of events in these workspaces: their registrations and connected integrations. */
export async function findListeners(sql: Sql, workspaceIds: readonly string[]): Promise<Listener[]> {
  const listeners: Listener[] = [];
  for (const chunk of inChunks(workspaceIds, ID_CHUNK_SIZES)) {
    listeners.push(...(await findWebhooks(sql, chunk)), ...(await findIntegrations(sql, chunk)));
  }
  return listeners;
}

async function findWebhooks(sql: Sql, workspaceIds: readonly string[]): Promise<Listener[]> {
  const rows = await sql.query<{ id: string; workspace_id: string; events: string; stands_since: number }>(
    `SELECT id, workspace_id, events, stands_since FROM webhooks
       ${dialectSql[sql.dialect].useIndex("webhooks_workspace_id")}
     WHERE workspace_id IN (${placeholders(workspaceIds.length)}) AND status = 'active'`,
    workspaceIds,
  );
  return rows.map((row) => {
    const events: string[] = JSON.parse(row.events);
    return { ...listenerOf(row), channel: "webhook", events: new Set(events) };
  });
}

async function findIntegrations(sql: Sql, workspaceIds: readonly string[]): Promise<Listener[]> {
  const rows = await sql.query<{
    id: string;
    workspace_id: string;
    type: (typeof toldProviders)[number];
    config: string;
    stands_since: number;
  }>(
    `SELECT id, workspace_id, type, config, stands_since FROM integrations
       ${dialectSql[sql.dialect].useIndex("integrations_type")}
     WHERE workspace_id IN (${placeholders(workspaceIds.length)}) AND type IN (${placeholders(toldProviders.length)})
       AND status = 'connected'`,
    [...workspaceIds, ...toldProviders],
  );
  return rows.map((row) => {
    // One that names no events is told of none.
    const { events = [] }: { events?: string[] } = JSON.parse(row.config);
    return { ...listenerOf(row), channel: row.type, events: new Set(events) };
  });
}

function listenerOf(row: { id: string; workspace_id: string; stands_since: number }) {
  return { workspaceId: row.workspace_id, targetId: row.id, standsSinceMs: row.stands_since };
}

/** The users whom these `user.invited` events tell of, by the events' ids. */
export async function findInvited(sql: Sql, eventIds: readonly string[]): Promise<Map<string, string>> {
  const from = `events ${dialectSql[sql.dialect].usePrimaryKey("events")}`;
  const invited = new Map<string, string>();
  for (const chunk of inChunks(eventIds, ID_CHUNK_SIZES)) {
    const rows = await sql.query<{ id: string; payload: string }>(
      `SELECT id, payload FROM ${from} WHERE id IN (${placeholders(chunk.length)})`,
      chunk,
    );
    for (const { id, payload } of rows) {
      const { data }: { data: { id: string } } = JSON.parse(payload);
      invited.set(id, data.id);
    }
  }
  return invited;
}
