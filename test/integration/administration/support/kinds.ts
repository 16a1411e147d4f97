import type { Cipher } from "../../../../lib/cipher.ts";
import type { IntegrationRow } from "../../../../services/integrations/integration.entity.ts";
import type { UserRow } from "../../../../services/users/user.entity.ts";
import type { WebhookRow } from "../../../../services/webhooks/webhook.entity.ts";
import type { TableDump } from "./dump-tables.ts";
import type { Stored } from "./scenario.ts";

/** How one kind of thing stands in its table, in answers and in events. */
export interface KindTraits<Row extends { readonly id: string }> {
  readonly idPrefix: string;
  rows(dump: TableDump): readonly Row[];
  /** How rows of the table of scenarios call it. */
  label(row: Row): string;
  /** Its members as JSON text, in the order in which the interface documents them. */
  membersText(row: Row): string;
  /** What rows of the table of scenarios say of it: all but its id and times, and what is sealed opened. */
  stored(row: Row, cipher: Cipher): Stored;
  /** What never changes of it. */
  lasting(row: Row): readonly unknown[];
  /** The times that are one and the same while it is new. */
  newTimes(row: Row): readonly number[];
  /** The time that every change moves on, where it is shown. */
  updatedAt?(row: Row): number;
  /** The event that tells of one that came, where one does, and the member that names the acting user. */
  told(row: Row): readonly [event: string, actorMember: string] | undefined;
  /** The same of one that went. */
  toldGone?: readonly [event: string, actorMember: string];
  /** What `meta` says of so many items where no parameter is given; none where the list has no meta. */
  meta?(total: number): Readonly<Record<string, unknown>>;
}

const time = (ms: number) => new Date(ms).toISOString();
const timeOrNull = (ms: number | null) => (ms === null ? null : time(ms));

/** Members as JSON text; what is a string already is text of JSON. */
function membersText(members: readonly (readonly [name: string, json: string])[]): string {
  return members.map(([name, json]) => `"${name}":${json}`).join(",");
}

const json = (value: unknown) => JSON.stringify(value);

export const userKind: KindTraits<UserRow> = {
  idPrefix: "usr_",
  rows: ({ users }) => users,
  label: ({ name }) => name,
  membersText: (row) =>
    membersText([
      ["id", json(row.id)],
      ["email", json(row.email)],
      ["name", json(row.name)],
      ["role", json(row.role)],
      ["status", json(row.status)],
      ["created_at", json(time(row.created_at))],
      ["updated_at", json(time(row.updated_at))],
    ]),
  stored: ({ email, name, role, status }) => ({ email, name, role, status }),
  lasting: ({ email_key, created_at }) => [email_key, created_at],
  newTimes: ({ created_at, updated_at }) => [created_at, updated_at],
  updatedAt: ({ updated_at }) => updated_at,
  told: () => ["user.invited", "invited_by"],
  toldGone: ["user.removed", "removed_by"],
  meta: (total) => ({ page: 1, per_page: 20, total, next_cursor: null }),
};

/** What providers are called where people read it. */
const providerNames: Readonly<Record<string, string>> = {
  slack: "Slack",
  discord: "Discord",
  zapier: "Zapier",
  github: "GitHub",
  gitlab: "GitLab",
  google_drive: "Google Drive",
  dropbox: "Dropbox",
};

const integrationText = (
  row: Pick<IntegrationRow, "id" | "type" | "connected_at" | "config"> & { status: string },
) =>
  membersText([
    ["id", json(row.id)],
    ["type", json(row.type)],
    ["name", json(providerNames[row.type])],
    ["status", json(row.status)],
    ["connected_at", json(timeOrNull(row.connected_at))],
    ["config", row.config],
  ]);

/** What can be connected to, as the interface shows it. */
export const availableText = (type: string) =>
  integrationText({ id: `int_${type}`, type, status: "available", connected_at: null, config: "{}" });

export const integrationKind: KindTraits<IntegrationRow> = {
  idPrefix: "int_",
  rows: ({ integrations }) => integrations,
  label: ({ type }) => type,
  membersText: integrationText,
  stored: ({ id, type, status, connected_at, config, credentials }, cipher) => ({
    type,
    status,
    isConnected: connected_at !== null,
    config,
    credentials: credentials === null ? null : cipher.open(credentials, `integrations/${id}`),
  }),
  lasting: ({ created_at, connected_at, stands_since }) => [created_at, connected_at, stands_since],
  newTimes: ({ created_at, updated_at, connected_at }) => [
    created_at,
    updated_at,
    connected_at ?? created_at,
  ],
  told: ({ status }) => (status === "connected" ? ["integration.connected", "connected_by"] : undefined),
  toldGone: ["integration.disconnected", "disconnected_by"],
};

export const webhookKind: KindTraits<WebhookRow> = {
  idPrefix: "wh_",
  rows: ({ webhooks }) => webhooks,
  label: ({ url }) => new URL(url).pathname,
  membersText: (row) =>
    membersText([
      ["id", json(row.id)],
      ["url", json(row.url)],
      ["events", row.events],
      ["status", json(row.status)],
      ["created_at", json(time(row.created_at))],
    ]),
  stored: ({ id, url, events, status, secret }, cipher) => ({
    url,
    events: JSON.parse(events),
    status,
    secret: secret === null ? null : cipher.open(secret, `webhooks/${id}`),
  }),
  lasting: ({ created_at, stands_since }) => [created_at, stands_since],
  newTimes: ({ created_at }) => [created_at],
  told: () => undefined,
  meta: (total) => ({ total }),
};
