import type { Sql } from "../../../db/database.ts";
import type { Cipher } from "../../../lib/cipher.ts";
import { parseOrdered } from "../../../lib/ordered-json.ts";
import { credentialsPlace } from "../../../lib/sealed-places.ts";
import type { OutgoingDelivery } from "./channel.ts";

/** What integrations are read and opened with. */
export interface IntegrationSource {
  readonly sql: Sql;
  readonly cipher: Pick<Cipher, "open">;
}

/** An integration's whole config, its credentials in plain. */
export type IntegrationConfig = Readonly<Record<string, unknown>>;

interface Row {
  config: string;
  credentials: string | null;
}

/**
 * Reads the integration that a delivery goes to, as it stands now.
 * @param type that of the provider
 * @returns undefined where it is disconnected, or wants this event no more
 * @throws CannotOpen where this node's keys do not open its credentials
 */
export async function findIntegrationTarget(
  { sql, cipher }: IntegrationSource,
  { targetId, workspaceId, event }: OutgoingDelivery,
  type: string,
): Promise<IntegrationConfig | undefined> {
  const [row] = await sql.query<Row>(
    `SELECT config, credentials FROM integrations
      WHERE id = ? AND workspace_id = ? AND type = ? AND status = ?`,
    [targetId, workspaceId, type, "connected"],
  );
  if (!row || row.credentials === null) return undefined;
  const { events, ...shown } = parseOrdered<Record<string, unknown>>(row.config);
  if (!Array.isArray(events) || !events.includes(event)) return undefined;
  const opened = cipher.open(row.credentials, credentialsPlace(targetId));
  return { ...shown, ...parseOrdered<Record<string, unknown>>(opened) };
}

/** A setting that the provider requires. Throws where it is not there: a defect, since it was checked. */
export function requiredText(config: IntegrationConfig, key: string): string {
  const value = config[key];
  if (typeof value !== "string") throw new TypeError(`The integration has no ${key}.`);
  return value;
}
