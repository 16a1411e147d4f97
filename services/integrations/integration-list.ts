import type { Sql } from "../../db/database.ts";
import type { Caller } from "../../lib/caller.ts";
import { notFound } from "../../lib/errors.ts";
import { readOptionalPage, takePart } from "../../lib/optional-page.ts";
import { findIntegration, findIntegrations } from "./integration.repository.ts";
import type { IntegrationResource, ListIntegrationsParams } from "./integration.schema.ts";
import { availableBeside, toResource } from "./integration-view.ts";

/**
 * What the workspace is connected to, the oldest first; with `status` available, what it could be connected to.
 * @throws ServiceError 400 for too deep a page
 */
export async function listIntegrations(
  sql: Sql,
  { workspaceId }: Caller,
  { status, type, ...page }: ListIntegrationsParams,
): Promise<{ items: IntegrationResource[] }> {
  const part = readOptionalPage(page);
  const rows = await findIntegrations(sql, workspaceId);
  const candidates = status === "available" ? availableBeside(rows) : rows.map(toResource);
  const found = candidates
    .filter((item) => status === undefined || item.status === status)
    .filter((item) => type === undefined || item.type === type);
  return { items: takePart(found, part) };
}

/** One integration, or what could be connected. Throws 404 where there is neither with the id. */
export async function getIntegration(
  sql: Sql,
  { workspaceId }: Caller,
  id: string,
): Promise<IntegrationResource> {
  const row = await findIntegration(sql, workspaceId, id);
  if (row) return toResource(row);
  const available = availableBeside(await findIntegrations(sql, workspaceId));
  const item = available.find((candidate) => candidate.id === id);
  if (!item) throw notFound("integration");
  return item;
}
