import { afterEach, beforeAll, expect, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import type { Caller } from "../../../../lib/caller.ts";
import { Cipher } from "../../../../lib/cipher.ts";
import { loadConfig } from "../../../../lib/config.ts";
import { newId } from "../../../../lib/ids.ts";
import { databaseMiddleware, databaseOf } from "../../../../mixins/database.middleware.ts";
import { secretsMiddleware } from "../../../../mixins/secrets.middleware.ts";
import { validationMiddleware } from "../../../../mixins/validation.middleware.ts";
import type { WebhookResource } from "../../../../services/webhooks/webhook.schema.ts";
import webhooksService from "../../../../services/webhooks/webhooks.service.ts";
import { insertWorkspace } from "../../../../services/workspaces/workspace.repository.ts";
import { freshSqliteStorage } from "../../../support/databases.ts";
import { type Environment, withEnvironment } from "../../../support/environment.ts";
import { trustTestAuthority } from "../../../support/test-authority.ts";
import { never, startReceiver } from "../../../support/tls-receiver.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { quietBroker } from "../../mixins/support/quiet-broker.ts";

const [firstKey, secondKey] = ["first", "second"].map((text) => Buffer.alloc(32, text).toString("base64"));
const caller: Caller = { workspaceId: "ws_1", userId: "usr_1", keyId: "key_1", role: "admin" };

let storage: Awaited<ReturnType<typeof freshSqliteStorage>>;
const ends: (() => unknown)[] = [];

beforeAll(async () => {
  storage = await freshSqliteStorage();
});

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

/** The service alone, on the suite's database. */
async function startService(environment: Environment): Promise<ServiceBroker> {
  const settings = { WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1, ::1", ...environment };
  const { secrets } = loadConfig(settings);
  const broker = quietBroker(
    databaseMiddleware(storage),
    secretsMiddleware({ secrets, storage }),
    validationMiddleware(),
  );
  withEnvironment(settings, () => broker.createService(webhooksService));
  ends.push(() => broker.stop());
  await broker.start();
  return broker;
}

async function receiverWith(options: Parameters<typeof startReceiver>[0] = {}) {
  ends.push(await trustTestAuthority());
  const receiver = await startReceiver(options);
  ends.push(receiver.stop);
  return receiver;
}

const call = <Result>(broker: ServiceBroker, action: string, params: object = {}) =>
  broker.call<Result, object>(`webhooks.${action}`, params, { meta: { caller } });

test("viewers may list, admins register and remove, operators seal anew", () => {
  expect(Object.keys(webhooksService.actions ?? {})).toHaveLength(4);
  expect(webhooksService.actions).toMatchObject({
    list: { permission: "read" },
    create: { permission: "administer" },
    remove: { permission: "administer" },
    reseal: { permission: "operate", timeout: 0 },
  });
});

test("secrets are sealed anew with a new key, and open with it alone", async () => {
  const receiver = await receiverWith();
  const before = await startService({ SECRET_KEY: firstKey ?? "" });
  await databaseOf(before).transaction((transaction) =>
    insertWorkspace(transaction, { id: caller.workspaceId, name: "Test", created_at: Date.now() }),
  );
  const asked = { url: receiver.url(), events: ["*"] };
  const signed = await call<WebhookResource>(before, "create", { ...asked, secret: "s3cret" });
  const unsigned = await call<WebhookResource>(before, "create", asked);
  await before.stop();
  const after = await startService({ SECRET_KEY: secondKey ?? "", SECRET_KEY_PREVIOUS: firstKey ?? "" });
  expect(await call(after, "reseal")).toMatchObject({ resealed: 1, unreadable: 0 });
  expect(await call(after, "reseal")).toMatchObject({ resealed: 0, unreadable: 0 });
  const rows = await databaseOf(after).read.query<{ id: string; secret: string | null }>(
    "SELECT id, secret FROM webhooks ORDER BY id",
  );
  expect(rows.map(({ id }) => id)).toEqual([signed.id, unsigned.id]);
  const cipher = new Cipher(Buffer.from(secondKey ?? "", "base64"));
  expect(cipher.open(rows[0]?.secret ?? "", `webhooks/${signed.id}`)).toBe("s3cret");
  expect(rows[1]?.secret).toBeNull();
});

test("a removal tells every node which registration went, before its answer; a refused one tells nobody", async () => {
  const receiver = await receiverWith();
  const broker = await startService({ SECRET_KEY: secondKey ?? "", SECRET_KEY_PREVIOUS: firstKey ?? "" });
  const heard: unknown[] = [];
  const note = ({ params }: { params: unknown }) => {
    heard.push(params);
  };
  broker.createService({ name: "listener", events: { "targets.removed": note } });
  const { id } = await call<WebhookResource>(broker, "create", { url: receiver.url(), events: ["*"] });
  expect(await call(broker, "remove", { id })).toBeNull();
  expect(heard).toEqual([{ id }]);
  await expect(call(broker, "remove", { id })).rejects.toMatchObject({ errorCode: "not_found" });
  expect(heard).toHaveLength(1);
});

test("a stop cuts off a validation that is under way, with 503", async () => {
  const receiver = await receiverWith({ answer: never });
  const broker = await startService({ SECRET_KEY: secondKey ?? "", SECRET_KEY_PREVIOUS: firstKey ?? "" });
  const asked = call(broker, "create", { url: receiver.url(), events: ["*"] });
  const refused = expect(asked).rejects.toMatchObject({ errorCode: "unavailable" });
  await waitFor(() => receiver.requests.length === 1, { what: "the validation to arrive" });
  await broker.stop();
  await refused;
});

test.each([
  ["list", { page: 0 }, "page"],
  ["create", { url: "http://receiver.test/", events: ["*"] }, "url"],
  ["remove", {}, "id"],
  ["reseal", { id: newId("webhook") }, "id"],
])("%s refuses %j with 400 and names the member", async (action, params, path) => {
  const broker = await startService({ SECRET_KEY: secondKey ?? "", SECRET_KEY_PREVIOUS: firstKey ?? "" });
  await expect(call(broker, action, params)).rejects.toMatchObject({
    errorCode: "invalid_request",
    details: [{ path }],
  });
});
