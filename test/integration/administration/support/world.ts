import type { ServiceBroker } from "moleculer";
import type { Transaction } from "../../../../db/database.ts";
import type { Cipher } from "../../../../lib/cipher.ts";
import { newId } from "../../../../lib/ids.ts";
import { databaseOf } from "../../../../mixins/database.middleware.ts";
import { cipherOf } from "../../../../mixins/secrets.middleware.ts";
import { insertIntegration } from "../../../../services/integrations/integration.repository.ts";
import type { NewRecord } from "../../../../services/records/record.schema.ts";
import { insertUser } from "../../../../services/users/user.repository.ts";
import type { NewUser, UserStatus } from "../../../../services/users/user.schema.ts";
import { insertWebhook } from "../../../../services/webhooks/webhook.repository.ts";
import { addToCount } from "../../../../services/webhooks/webhook-count.repository.ts";
import { callerOf, insertSide, newSide, type Side, type Sides } from "../../scenarios/sides.ts";

/** One id of each kind. */
export interface Ids {
  readonly users: string;
  readonly integrations: string;
  readonly webhooks: string;
}

/** What a row finds when it begins: two workspaces that know nothing of each other. */
export interface World extends Sides {
  /** What the home workspace's endpoints are usually asked for: the editor, the chat, the first registration. */
  readonly own: Ids;
  /** The foreign workspace's. */
  readonly theirs: Ids;
  /** Ids that nothing ever had. */
  readonly unknown: Ids;
  /** What waits for its authorization. */
  readonly pending: string;
  /** The second registration, whose deliveries are signed. */
  readonly signed: string;
  /** An admin who may not act: the admin who may is the last one. */
  readonly idle: string;
  /** Where registrations are validated, by a server that says yes. */
  readonly hook: string;
  /** Ids of the users that the row itself asked for. */
  readonly given: readonly string[];
}

/** What the home workspace has beside the usual. */
export interface Given {
  readonly users?: readonly (NewUser & { readonly status?: UserStatus })[];
  readonly records?: readonly NewRecord[];
  /** Kinds of which one that was there is gone; `own` then names that. */
  readonly gone?: readonly (keyof Ids)[];
}

/** A part of every secret in these rows: no answer, event or plain column may ever have it. */
export const SECRET = "hush-hush";

/** How the home workspace's chat is set up, but for its credential. */
export const chatConfig = { channel: "#ops", events: ["record.created", "user.removed"] };
export const chatToken = `xoxb-${SECRET}-1`;

/**
 * Makes a world in the database of a running program, past its HTTP interface.
 * @param hook where its new registrations are validated
 */
export async function newWorld(broker: ServiceBroker, hook: string, given: Given = {}): Promise<World> {
  const home = newSide();
  const foreign = newSide();
  const cipher = cipherOf(broker);
  const world = await databaseOf(broker).transaction(async (transaction) => {
    await insertSide(transaction, home);
    await insertSide(transaction, foreign);
    const idle = await insertOne(transaction, home, {
      email: "idle@example.com",
      name: "Idle",
      role: "admin",
      status: "inactive",
    });
    const users: string[] = [];
    for (const user of given.users ?? []) users.push(await insertOne(transaction, home, user));
    const chat = await insertChat(transaction, cipher, home);
    const pending = await insertPending(transaction, home);
    const first = await insertRegistration(transaction, home, "https://receiver.test/first", null);
    const signed = await insertRegistration(transaction, home, "https://receiver.test/second", cipher);
    return {
      own: { users: home.users.editor, integrations: chat, webhooks: first },
      theirs: {
        users: foreign.users.editor,
        integrations: await insertChat(transaction, cipher, foreign),
        webhooks: await insertRegistration(transaction, foreign, "https://receiver.test/first", null),
      },
      pending,
      signed,
      idle,
      given: users,
    };
  });
  await bringAbout(broker, home, world.own, given);
  const unknown = { users: newId("user"), integrations: newId("integration"), webhooks: newId("webhook") };
  return { ...world, home, foreign, hook, unknown };
}

/** What only the services themselves can make so. */
async function bringAbout(broker: ServiceBroker, home: Side, own: Ids, { records, gone = [] }: Given) {
  const meta = { caller: callerOf(home, "admin") };
  if (records) await broker.call("records.bulkCreate", { records }, { meta });
  for (const kind of gone) await broker.call(`${kind}.remove`, { id: own[kind] }, { meta });
}

async function insertOne(
  transaction: Transaction,
  { workspaceId }: Side,
  { status = "active", ...user }: NewUser & { readonly status?: UserStatus },
): Promise<string> {
  const id = newId("user");
  await insertUser(transaction, { ...user, id, workspace_id: workspaceId, status, created_at: Date.now() });
  return id;
}

async function insertChat(transaction: Transaction, cipher: Cipher, { workspaceId }: Side): Promise<string> {
  const id = newId("integration");
  const nowMs = Date.now();
  await insertIntegration(transaction, {
    id,
    workspace_id: workspaceId,
    type: "slack",
    status: "connected",
    config: JSON.stringify(chatConfig),
    credentials: cipher.seal(JSON.stringify({ bot_token: chatToken }), `integrations/${id}`),
    connected_at: nowMs,
    created_at: nowMs,
    updated_at: nowMs,
  });
  return id;
}

async function insertPending(transaction: Transaction, { workspaceId }: Side): Promise<string> {
  const id = newId("integration");
  const nowMs = Date.now();
  await insertIntegration(transaction, {
    id,
    workspace_id: workspaceId,
    type: "github",
    status: "pending_auth",
    config: '{"repository":"a/b"}',
    credentials: null,
    connected_at: null,
    created_at: nowMs,
    updated_at: nowMs,
  });
  return id;
}

async function insertRegistration(
  transaction: Transaction,
  { workspaceId }: Side,
  url: string,
  signer: Cipher | null,
): Promise<string> {
  const id = newId("webhook");
  await insertWebhook(transaction, {
    id,
    workspace_id: workspaceId,
    url,
    events: '["*"]',
    status: "active",
    secret: signer?.seal(SECRET, `webhooks/${id}`) ?? null,
    created_at: Date.now(),
  });
  await addToCount(transaction, workspaceId, 1);
  return id;
}
