import type { Sql } from "../../../../db/database.ts";
import type { EventRow } from "../../../../mixins/event.entity.ts";
import type { IntegrationRow } from "../../../../services/integrations/integration.entity.ts";
import type { UserRow } from "../../../../services/users/user.entity.ts";
import type { UserCountRow } from "../../../../services/users/user-count.entity.ts";
import type { WebhookRow } from "../../../../services/webhooks/webhook.entity.ts";
import type { WebhookCountRow } from "../../../../services/webhooks/webhook-count.entity.ts";

/** A key of the interface, as far as rows look at it. */
export interface KeyRow {
  readonly id: string;
  readonly user_id: string;
}

/** A row of the index of users. */
interface WordRow {
  readonly word: string;
  readonly user_id: string;
}

/** Everything that requests write of one workspace. */
export interface TableDump {
  readonly users: UserRow[];
  readonly userCounts: UserCountRow[];
  readonly userWords: WordRow[];
  readonly keys: KeyRow[];
  readonly integrations: IntegrationRow[];
  readonly webhooks: WebhookRow[];
  readonly webhookCounts: WebhookCountRow[];
  readonly events: EventRow[];
  /** The rows of every other table that has rows of a workspace, but for the dispatcher's, by the table's name. */
  readonly others: Readonly<Record<string, readonly unknown[]>>;
}

/** Tables that have a place of their own in the dump, and the key that orders them. */
const known = {
  users: "id",
  user_counts: "role, status, slot",
  user_words: "word, user_id",
  api_keys: "id",
  integrations: "id",
  webhooks: "id",
  webhook_counts: "workspace_id",
  events: "id",
} as const;

/** Tables that the dispatcher changes by itself, whatever a request did. */
const dispatched = new Set(["pending_events", "deliveries"]);

/** All rows of one workspace, whichever tables there are. */
export async function dumpTables(sql: Sql, { workspaceId }: { workspaceId: string }): Promise<TableDump> {
  const rows = <Row>(table: string, order: string) =>
    sql.query<Row>(`SELECT * FROM ${table} WHERE workspace_id = ? ORDER BY ${order}`, [workspaceId]);
  const rowsOf = <Row>(table: keyof typeof known) => rows<Row>(table, known[table]);
  const others = (await ownedTables(sql)).filter((table) => !Object.hasOwn(known, table));
  return {
    users: await rowsOf("users"),
    userCounts: await rowsOf("user_counts"),
    userWords: await rowsOf("user_words"),
    keys: await rowsOf("api_keys"),
    integrations: await rowsOf("integrations"),
    webhooks: await rowsOf("webhooks"),
    webhookCounts: await rowsOf("webhook_counts"),
    events: await rowsOf("events"),
    others: Object.fromEntries(
      await Promise.all(others.map(async (table) => [table, await rows(table, "1, 2, 3")] as const)),
    ),
  };
}

const tablesOf = new WeakMap<Sql, Promise<string[]>>();

/** The names of the tables whose rows belong to workspaces. */
function ownedTables(sql: Sql): Promise<string[]> {
  const known = tablesOf.get(sql);
  if (known) return known;
  const found = findOwnedTables(sql);
  tablesOf.set(sql, found);
  return found;
}

async function findOwnedTables(sql: Sql): Promise<string[]> {
  const tables = await sql.query<{ name: string }>(
    sql.dialect === "sqlite"
      ? `SELECT m.name AS name FROM sqlite_master m JOIN pragma_table_info(m.name) c
          WHERE m.type = 'table' AND c.name = 'workspace_id'`
      : `SELECT table_name AS name FROM information_schema.columns
          WHERE table_schema = DATABASE() AND column_name = 'workspace_id'`,
  );
  return tables
    .map(({ name }) => name)
    .filter((name) => !dispatched.has(name))
    .sort();
}
