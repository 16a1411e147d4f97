import type { Database } from "../../../../../db/database.ts";
import { insertRows } from "../../../../../db/insert-rows.ts";
import type { Caller } from "../../../../../lib/caller.ts";
import type { DeliveryStatus } from "../../../../../lib/delivery-states.ts";
import type { EventName } from "../../../../../lib/event-names.ts";
import { newId } from "../../../../../lib/ids.ts";

/** The time at which deliveries were made unless a test says otherwise. */
export const MADE_AT_MS = Date.parse("2026-11-21T03:48:11.966Z");

export interface MadeDelivery {
  readonly event?: EventName;
  readonly status?: DeliveryStatus;
  readonly payload?: string | null;
  readonly createdAtMs?: number;
  /** Its place in the queue; by default one without a claim where it is pending. */
  readonly queued?: { readonly dueAtMs: number; readonly claimId: string | null } | undefined;
  readonly attempts?: readonly {
    readonly durationMs?: number;
    readonly statusCode?: number | null;
    readonly error?: string | null;
    readonly response?: string | null;
  }[];
}

export interface QueuedDelivery {
  readonly delivery_id: string;
  readonly channel: string;
  readonly target_id: string;
  readonly lane: number;
  readonly due_at: number;
  readonly claim_id: string | null;
}

/** A registration with deliveries that no dispatcher ever touches. */
export interface Registration {
  readonly id: string;
  readonly caller: Caller;
  /** Writes a delivery, and gives its id. */
  add(delivery?: MadeDelivery): Promise<string>;
  /** The rows of the queue. */
  queue(): Promise<QueuedDelivery[]>;
  rows(): Promise<{ id: string; status: string; attempt_count: number; finished_at: number | null }[]>;
}

/** A new registration, by default in a workspace of its own. */
export async function newRegistration(
  database: Database,
  workspaceId: string = newId("workspace"),
): Promise<Registration> {
  const id = newId("webhook");
  const insert = (table: string, row: Readonly<Record<string, string | number | null>>) =>
    database.transaction((transaction) =>
      insertRows(transaction, table, Object.keys(row), [Object.values(row)]),
    );
  const [known] = await database.read.query("SELECT id FROM workspaces WHERE id = ?", [workspaceId]);
  if (!known) await insert("workspaces", { id: workspaceId, name: "Test", created_at: MADE_AT_MS });
  await insert("webhooks", {
    ...{ id, workspace_id: workspaceId, url: "https://receiver.test/", events: '["*"]' },
    ...{ status: "active", secret: null, created_at: MADE_AT_MS, stands_since: MADE_AT_MS },
  });
  const add = async ({
    event = "record.created",
    status = "succeeded",
    payload = "{}",
    createdAtMs = MADE_AT_MS,
    queued = status === "pending" ? { dueAtMs: MADE_AT_MS, claimId: null } : undefined,
    attempts = [],
  }: MadeDelivery = {}) => {
    const deliveryId = newId("delivery");
    const eventId = newId("event");
    const common = { workspace_id: workspaceId, event, created_at: createdAtMs };
    if (payload !== null) await insert("events", { id: eventId, payload, ...common });
    await insert("deliveries", {
      ...{ id: deliveryId, event_id: eventId, channel: "webhook", target_id: id, status, ...common },
      ...{ attempt_count: attempts.length, finished_at: status === "pending" ? null : createdAtMs },
    });
    for (const [
      index,
      { durationMs = 1, statusCode = 200, error = null, response = "" },
    ] of attempts.entries()) {
      await insert("delivery_attempts", {
        ...{ delivery_id: deliveryId, number: index + 1, at: MADE_AT_MS + index, duration_ms: durationMs },
        ...{ status_code: statusCode, error, response },
      });
    }
    if (queued) {
      await insert("delivery_queue", {
        ...{ delivery_id: deliveryId, channel: "webhook", target_id: id, lane: 0 },
        ...{ due_at: queued.dueAtMs, claim_id: queued.claimId },
      });
    }
    return deliveryId;
  };
  return {
    id,
    caller: { workspaceId, userId: newId("user"), keyId: newId("key"), role: "admin" },
    add,
    queue: () =>
      database.read.query("SELECT * FROM delivery_queue WHERE target_id = ? ORDER BY delivery_id", [id]),
    rows: () =>
      database.read.query(
        "SELECT id, status, attempt_count, finished_at FROM deliveries WHERE target_id = ? ORDER BY id",
        [id],
      ),
  };
}
