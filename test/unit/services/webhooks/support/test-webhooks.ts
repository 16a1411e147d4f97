import { jest } from "@jest/globals";
import type { Database } from "../../../../../db/database.ts";
import type { Caller } from "../../../../../lib/caller.ts";
import { Cipher } from "../../../../../lib/cipher.ts";
import { newId } from "../../../../../lib/ids.ts";
import { admitKeys } from "../../../../../mixins/known-keys.ts";
import { Outbox } from "../../../../../mixins/outbox.ts";
import type { NewWebhook, WebhookResource } from "../../../../../services/webhooks/webhook.schema.ts";
import { listWebhooks } from "../../../../../services/webhooks/webhook-list.ts";
import type { ValidateWebhook } from "../../../../../services/webhooks/webhook-validation.ts";
import { WebhookWriter } from "../../../../../services/webhooks/webhook-writer.ts";
import { insertWorkspace } from "../../../../../services/workspaces/workspace.repository.ts";
import { newTestClock, type TestClock } from "../../../../support/test-clock.ts";

export const testCipher = new Cipher(Buffer.alloc(32, "webhooks"));

/** A registration as a client asks for it. */
export const usual = { url: "https://receiver.test/hook", events: ["record.created"] } satisfies NewWebhook;

export interface WebhookWorkspaceOptions {
  readonly limit?: number;
}

/** A new workspace on a database, and everything that writes and reads its registrations. */
export interface WebhookWorkspace {
  readonly caller: Caller;
  readonly writer: WebhookWriter;
  /** The same writer on another database. */
  writerOn(other: Database): WebhookWriter;
  readonly clock: TestClock;
  /** Finds every address good, unless a test says otherwise. */
  readonly validate: jest.MockedFunction<ValidateWebhook>;
  list(): Promise<{ items: WebhookResource[]; total: number }>;
  create(webhook?: Partial<NewWebhook>): Promise<WebhookResource>;
  /** What is stored for the workspace. */
  dump(): Promise<{ webhooks: object[]; counts: object[]; events: object[] }>;
}

/** Every test has a workspace to itself, so that tests can share a database. */
export async function newWebhookWorkspace(
  database: Database,
  { limit = 20 }: WebhookWorkspaceOptions = {},
): Promise<WebhookWorkspace> {
  const clock = newTestClock();
  const caller: Caller = {
    workspaceId: newId("workspace"),
    userId: newId("user"),
    keyId: newId("key"),
    role: "admin",
  };
  const { workspaceId } = caller;
  await admitKeys(database, testCipher);
  await database.transaction((transaction) =>
    insertWorkspace(transaction, { id: workspaceId, name: "Test", created_at: clock.read() }),
  );
  const validate = jest.fn<ValidateWebhook>(async () => {});
  const writerOn = (on: Database) =>
    new WebhookWriter({
      read: on.read,
      outbox: new Outbox(on, () => {}),
      cipher: testCipher,
      validate,
      limit,
      nowMs: clock.read,
    });
  const writer = writerOn(database);
  const rows = (table: string) =>
    database.read.query<object>(`SELECT * FROM ${table} WHERE workspace_id = ?`, [workspaceId]);
  return {
    caller,
    writer,
    writerOn,
    clock,
    validate,
    list: () => listWebhooks(database.read, caller, {}),
    create: (webhook) => writer.create(caller, { ...usual, ...webhook }),
    dump: async () => ({
      webhooks: await rows("webhooks"),
      counts: await rows("webhook_counts"),
      events: await rows("events"),
    }),
  };
}
