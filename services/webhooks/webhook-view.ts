import { isoTime } from "../../lib/iso-time.ts";
import type { ShownRow } from "./webhook.repository.ts";
import type { SubscribableEvent, WebhookResource } from "./webhook.schema.ts";

/** A registration as the interface shows it. */
export function toResource(row: ShownRow): WebhookResource {
  return {
    id: row.id,
    url: row.url,
    events: readEvents(row.events),
    status: row.status,
    created_at: isoTime(row.created_at),
  };
}

/** The names of a stored JSON array. */
function readEvents(text: string): SubscribableEvent[] {
  const events: SubscribableEvent[] = JSON.parse(text);
  return events;
}
