import type { Sql } from "../../db/database.ts";
import type { Caller } from "../../lib/caller.ts";
import { readOptionalPage } from "../../lib/optional-page.ts";
import { findWebhooks } from "./webhook.repository.ts";
import type { ListWebhooksParams, WebhookResource } from "./webhook.schema.ts";
import { countWebhooks } from "./webhook-count.repository.ts";
import { toResource } from "./webhook-view.ts";

/**
 * A workspace's registrations, the oldest first: all of them, or a page where one is asked for.
 * @throws ServiceError 400 for too deep a page
 */
export async function listWebhooks(
  sql: Sql,
  { workspaceId }: Caller,
  params: ListWebhooksParams,
): Promise<{ items: WebhookResource[]; total: number }> {
  const part = readOptionalPage(params);
  const rows = await findWebhooks(sql, workspaceId, part);
  return { items: rows.map(toResource), total: await countWebhooks(sql, workspaceId) };
}
