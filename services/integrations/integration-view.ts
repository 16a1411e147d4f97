import { idPrefixes } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { parseOrdered } from "../../lib/ordered-json.ts";
import { findProvider, providers } from "./catalog.ts";
import type { ShownRow } from "./integration.repository.ts";
import type { IntegrationResource } from "./integration.schema.ts";
import type { Provider } from "./providers/provider.ts";

/** An integration as the interface shows it. */
export function toResource(row: ShownRow): IntegrationResource {
  return {
    id: row.id,
    type: row.type,
    // While nodes are updated, one of them may know a provider that this one does not.
    name: findProvider(row.type)?.name ?? row.type,
    status: row.status,
    connected_at: row.connected_at === null ? null : isoTime(row.connected_at),
    config: parseOrdered<Record<string, unknown>>(row.config),
  };
}

/** What could still be connected beside these, as the interface shows it. */
export function availableBeside(rows: readonly ShownRow[]): IntegrationResource[] {
  const taken = new Set(rows.map(({ type }) => type));
  return providers.filter(({ type }) => !taken.has(type)).map(toAvailable);
}

function toAvailable({ type, name }: Provider): IntegrationResource {
  return {
    id: idPrefixes.integration + type,
    type,
    name,
    status: "available",
    connected_at: null,
    config: {},
  };
}
