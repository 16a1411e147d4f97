import type { Database, Transaction } from "../../db/database.ts";
import { newId } from "../../lib/ids.ts";
import type { PendingEventRow } from "../../mixins/pending-event.entity.ts";
import { ENTRIES_PER_DELIVERY, insertDeliveries, type NewDelivery } from "./new-delivery.repository.ts";
import { deletePendingEvents, hasPendingEvents, takePendingEvents } from "./pending-event.repository.ts";
import { findInvited, findListeners, type Listener } from "./target.repository.ts";

/** Events and deliveries of one transaction, so that it holds the database's write lock for a moment only. */
const MAX_EVENTS = 200;
const MAX_DELIVERIES = 1_000;
/** Index entries that an event leaves as it is taken off the list. */
const ENTRIES_PER_EVENT = 1;

type NewTarget = Pick<NewDelivery, "channel" | "target_id">;

/**
 * Makes deliveries of some of the events that wait, the oldest first: one for each registration and each connected
 * chat or automation integration that names the event and stood when it happened, and a mail to who was invited.
 * An event and its deliveries change over in one transaction, and several that do this at once share the events.
 * @returns how many events were dealt with; 0 where none waits that nobody else has
 */
export async function fanOut(database: Database): Promise<number> {
  if (!(await hasPendingEvents(database.read))) return 0;
  return await database.transaction(fanOutBatch);
}

async function fanOutBatch(transaction: Transaction): Promise<number> {
  const pending = await takePendingEvents(transaction, MAX_EVENTS);
  // Read behind the events: whatever stood before one of them was written is seen.
  const targetsOf = await targetFinder(transaction, pending);
  const events: string[] = [];
  const deliveries: NewDelivery[] = [];
  for (const event of pending) {
    const targets = targetsOf(event);
    // The first is always taken, however many it concerns.
    if (events.length > 0 && deliveries.length + targets.length > MAX_DELIVERIES) break;
    events.push(event.event_id);
    deliveries.push(...targets.map((target) => newDelivery(event, target)));
  }
  transaction.expectChanges(events.length * ENTRIES_PER_EVENT + deliveries.length * ENTRIES_PER_DELIVERY);
  await insertDeliveries(transaction, deliveries);
  await deletePendingEvents(transaction, events);
  return events.length;
}

/** Reads who hears of these events, each workspace once; gives a function that tells it of one. */
async function targetFinder(
  transaction: Transaction,
  pending: readonly PendingEventRow[],
): Promise<(event: PendingEventRow) => NewTarget[]> {
  const workspaceIds = [...new Set(pending.map(({ workspace_id }) => workspace_id))];
  const listeners = Map.groupBy(
    await findListeners(transaction, workspaceIds),
    ({ workspaceId }) => workspaceId,
  );
  const invitations = pending.filter(({ event }) => event === "user.invited");
  const invited = await findInvited(
    transaction,
    invitations.map(({ event_id }) => event_id),
  );
  return (event) => {
    const targets = (listeners.get(event.workspace_id) ?? [])
      .filter((listener) => hears(listener, event))
      .map(({ channel, targetId }): NewTarget => ({ channel, target_id: targetId }));
    const userId = invited.get(event.event_id);
    return userId === undefined ? targets : [...targets, { channel: "mail", target_id: userId }];
  };
}

function hears({ events, standsSinceMs }: Listener, { event, created_at }: PendingEventRow): boolean {
  return standsSinceMs <= created_at && (events.has(event) || events.has("*"));
}

function newDelivery({ event_id, workspace_id, event }: PendingEventRow, target: NewTarget): NewDelivery {
  return { id: newId("delivery"), workspace_id, event_id, event, ...target };
}
