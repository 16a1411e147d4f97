import type { Database } from "../../../../../db/database.ts";
import type { Caller } from "../../../../../lib/caller.ts";
import { Cipher } from "../../../../../lib/cipher.ts";
import type { EventRow } from "../../../../../mixins/event.entity.ts";
import { admitKeys } from "../../../../../mixins/known-keys.ts";
import { Outbox } from "../../../../../mixins/outbox.ts";
import type { IntegrationRow } from "../../../../../services/integrations/integration.entity.ts";
import type {
  IntegrationResource,
  ListIntegrationsParams,
} from "../../../../../services/integrations/integration.schema.ts";
import { getIntegration, listIntegrations } from "../../../../../services/integrations/integration-list.ts";
import { IntegrationWriter } from "../../../../../services/integrations/integration-writer.ts";
import { Workspaces } from "../../../../../services/workspaces/workspaces.ts";

export const testCipher = new Cipher(Buffer.alloc(32, "test key"));

/** A config with which each provider can be connected, every key in it. */
export const sampleConfigs = {
  slack: { channel: "#general ", events: ["record.created"], bot_token: "xoxb-very-secret" },
  discord: { webhook_url: "https://discord.example/very-secret", events: ["user.invited"] },
  zapier: { hook_url: "https://hooks.example/very-secret?a=1", events: [] },
  github: { repository: "acme/data", organization: "acme", branch: "main" },
  gitlab: { repository: "acme/data", organization: "acme", branch: "main" },
  google_drive: { folder: "Reports" },
  dropbox: { folder: "/Reports" },
} as const;
export type SampleType = keyof typeof sampleConfigs;

/** In every credential of the samples, and nowhere else. */
export const SECRET = "very-secret";

/** A workspace of a test's own, and everything that writes and reads its integrations. */
export interface TestIntegrations {
  readonly caller: Caller;
  readonly writer: IntegrationWriter;
  connect(type: SampleType, config?: Record<string, unknown>): Promise<IntegrationResource>;
  list(params?: ListIntegrationsParams): Promise<IntegrationResource[]>;
  get(id: string): Promise<IntegrationResource>;
  rows(): Promise<IntegrationRow[]>;
  events(): Promise<EventRow[]>;
}

/** @param cipher that of a node, which let it in as it started */
export async function newTestIntegrations(
  database: Database,
  cipher = testCipher,
): Promise<TestIntegrations> {
  if (cipher === testCipher) await admitKeys(database, cipher);
  const made = await new Workspaces(database).create({ name: "Acme", email: "ada@acme.example" });
  const caller: Caller = {
    workspaceId: made.workspace.id,
    userId: made.user.id,
    keyId: made.key.id,
    role: "admin",
  };
  const writer = new IntegrationWriter(new Outbox(database, () => {}), cipher);
  const ownRows = <Row>(table: string) =>
    database.read.query<Row>(`SELECT * FROM ${table} WHERE workspace_id = ? ORDER BY id`, [
      caller.workspaceId,
    ]);
  return {
    caller,
    writer,
    connect: (type, config = sampleConfigs[type]) => writer.create(caller, { type, config }),
    list: async (params = {}) => (await listIntegrations(database.read, caller, params)).items,
    get: (id) => getIntegration(database.read, caller, id),
    rows: () => ownRows<IntegrationRow>("integrations"),
    events: () => ownRows<EventRow>("events"),
  };
}
