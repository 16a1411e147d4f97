import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { signatureOf } from "../../../lib/signature.ts";
import { userAgent } from "../../../lib/user-agent.ts";
import { databaseOf } from "../../../mixins/database.middleware.ts";
import type { DeliveryRow } from "../../../services/dispatcher/delivery.entity.ts";
import type { WebhookResource } from "../../../services/webhooks/webhook.schema.ts";
import { type App, startApp } from "../../support/app.ts";
import { freshSqliteStorage } from "../../support/databases.ts";
import type { Environment } from "../../support/environment.ts";
import { request } from "../../support/http.ts";
import { describeMariaDb, startMariaDb } from "../../support/mariadb.ts";
import { trustTestAuthority } from "../../support/test-authority.ts";
import {
  never,
  type ReceivedRequest,
  type Receiver,
  startReceiver,
  status,
} from "../../support/tls-receiver.ts";
import { waitFor } from "../../support/wait-for.ts";

const SECRET = "s3cret";
const settings: Environment = {
  WEBHOOK_ALLOWED_NETWORKS: "127.0.0.1, ::1",
  WEBHOOK_RETRY_BASE_MS: "10",
  BOOTSTRAP_API_KEY: "key-of-dispatcher-tests",
};
const apps: App[] = [];
let receiver: Receiver;
let undoTrust: () => void;

beforeAll(async () => {
  undoTrust = await trustTestAuthority();
});

afterAll(() => undoTrust?.());

beforeEach(async () => {
  receiver = await startReceiver();
});

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.stop()));
  await receiver.stop();
});

async function start(env: Environment = {}): Promise<App> {
  const app = await startApp({ env: { ...settings, ...env } });
  apps.push(app);
  return app;
}

async function register(app: App, members: object = {}): Promise<string> {
  const body = { url: receiver.url("/hook"), events: ["*"], secret: SECRET, ...members };
  const answer = await request<WebhookResource>(app, "POST", "/v1/webhooks", { body });
  expect(answer.status).toBe(201);
  receiver.requests.length = 0;
  return answer.body.data.id;
}

async function write(app: App, method: string, path: string, body?: object): Promise<{ id: string }> {
  const answer = await request<{ id: string }>(app, method, path, body ? { body } : {});
  expect(answer.status).toBeLessThan(300);
  return answer.body.data;
}

const createRecord = (app: App, name = "One") => write(app, "POST", "/v1/data", { name, type: "note" });

const deliveriesOf = (app: App) =>
  databaseOf(app.broker).read.query<DeliveryRow>("SELECT * FROM deliveries WHERE channel = ? ORDER BY id", [
    "webhook",
  ]);

/** The deliveries, once each of so many has come to this end. */
const ended = (app: App, count: number, end: DeliveryRow["status"] = "succeeded") =>
  waitFor(
    async () => {
      const rows = await deliveriesOf(app);
      return rows.length === count && rows.every((row) => row.status === end) && rows;
    },
    { what: `${count} deliveries to be ${end}`, timeoutMs: 10_000 },
  );

const received = (count: number) =>
  waitFor(() => receiver.requests.length >= count, { what: `${count} requests` });

/** Every request is one of these deliveries with the bytes of its event, each of them came once. */
async function expectEachOnce(app: App, requests: readonly ReceivedRequest[]): Promise<void> {
  const rows = await deliveriesOf(app);
  const events = await databaseOf(app.broker).read.query<{ id: string; payload: string }>(
    "SELECT id, payload FROM events",
  );
  const payloads = new Map(events.map(({ id, payload }) => [id, payload]));
  const came = requests.map(({ headers, body }) => ({
    id: headers["x-service-delivery"],
    event: headers["x-service-event"],
    attempt: headers["x-service-attempt"],
    signature: headers["x-service-signature"],
    type: headers["content-type"],
    agent: headers["user-agent"],
    body: body.toString(),
  }));
  const expected = rows.map(({ id, event, event_id }) => {
    const body = payloads.get(event_id) ?? "";
    const signature = signatureOf(Buffer.from(body), SECRET);
    return { id, event, attempt: "1", signature, type: "application/json", agent: userAgent, body };
  });
  const byId = (one: { id?: unknown }, other: { id?: unknown }) =>
    String(one.id) < String(other.id) ? -1 : 1;
  expect(came.toSorted(byId)).toEqual(expected.toSorted(byId));
  expect(rows).toHaveLength(events.length);
}

describe("the dispatcher", () => {
  test("delivers every event once, signed, with the bytes that were written", async () => {
    const app = await start();
    await register(app);
    const { id } = await createRecord(app);
    await write(app, "PATCH", `/v1/data/${id}`, { name: "Two" });
    await request(app, "DELETE", `/v1/data/${id}`);
    const records = Array.from({ length: 20 }, (_, at) => ({ name: `Item ${at}`, type: "note" }));
    await write(app, "POST", "/v1/data/bulk-create", { records });
    await write(app, "POST", "/v1/users", { email: "new@example.com", name: "New", role: "viewer" });
    await ended(app, 24);
    await expectEachOnce(app, receiver.requests);
    const kinds = receiver.requests.map(({ headers }) => headers["x-service-event"]);
    expect(new Set(kinds)).toEqual(
      new Set(["record.created", "record.updated", "record.deleted", "user.invited"]),
    );
  });

  test("tries again with the same id and bytes until the receiver takes it", async () => {
    const app = await start();
    await register(app);
    receiver.answer = (response, got) => {
      const isThird = got.headers["x-service-attempt"] === "3";
      status(isThird ? 204 : 500)(response, got);
    };
    await createRecord(app);
    const [delivery] = await ended(app, 1);
    expect(delivery?.attempt_count).toBe(3);
    expect(receiver.requests.map(({ headers }) => headers["x-service-attempt"])).toEqual(["1", "2", "3"]);
    const told = receiver.requests.map(({ headers, body }) => `${headers["x-service-delivery"]} ${body}`);
    expect(new Set(told).size).toBe(1);
  });

  test("gives up after four failures, and keeps what was answered", async () => {
    const app = await start();
    await register(app);
    receiver.answer = status(410, {}, "No\u0000more");
    await createRecord(app);
    const [delivery] = await ended(app, 1, "failed");
    expect(delivery?.attempt_count).toBe(4);
    expect(receiver.requests).toHaveLength(4);
    const attempts = await databaseOf(app.broker).read.query(
      "SELECT number, status_code, error, response FROM delivery_attempts ORDER BY number",
    );
    expect(attempts).toEqual(
      [1, 2, 3, 4].map((number) => ({ number, status_code: 410, error: "status", response: "No\uFFFDmore" })),
    );
  });

  test("a deletion aborts what is in flight, and nothing comes after it", async () => {
    const app = await start({ WEBHOOK_TIMEOUT_MS: "12000" });
    const id = await register(app);
    let aborted = 0;
    receiver.answer = (response) => {
      response.on("close", () => {
        aborted += 1;
      });
    };
    for (const name of ["One", "Two", "Three"]) await createRecord(app, name);
    await received(3);
    await request(app, "DELETE", `/v1/webhooks/${id}`);
    await waitFor(() => aborted === 3, { what: "the requests to be aborted" });
    await createRecord(app, "Four");
    const rows = await ended(app, 3, "cancelled");
    expect(rows.map(({ attempt_count }) => attempt_count)).toEqual([0, 0, 0]);
    expect(receiver.requests).toHaveLength(3);
  });

  test("a target that never answers does not hold up another one", async () => {
    const app = await start({ WEBHOOK_TIMEOUT_MS: "12000" });
    const slow = await startReceiver();
    try {
      await register(app);
      await register(app, { url: slow.url("/slow") });
      slow.answer = never;
      const records = Array.from({ length: 40 }, (_, at) => ({ name: `Item ${at}`, type: "note" }));
      await write(app, "POST", "/v1/data/bulk-create", { records });
      await received(40);
      expect(slow.openConnectionCount()).toBeLessThanOrEqual(9);
    } finally {
      await slow.stop();
    }
  });

  test("a new start delivers what was pending", async () => {
    const { dataDir } = await freshSqliteStorage();
    const before = await start({
      DATA_DIR: dataDir,
      SHUTDOWN_TIMEOUT_MS: "100",
      WEBHOOK_TIMEOUT_MS: "12000",
    });
    await register(before);
    receiver.answer = never;
    await createRecord(before);
    await received(1);
    await before.broker.stop();
    receiver.answer = status(200);
    const after = await start({ DATA_DIR: dataDir });
    const [delivery] = await ended(after, 1);
    expect(delivery?.attempt_count).toBe(1);
    expect(receiver.requests.map(({ headers }) => headers["x-service-attempt"])).toEqual(["1", "1"]);
  });
});

describeMariaDb("two dispatchers on one database", () => {
  test("deliver each event once between them", async () => {
    const server = await startMariaDb();
    const DATABASE_URL = await server.createDatabase();
    const one = await start({ DATABASE_URL });
    const other = await start({ DATABASE_URL });
    await register(one);
    const names = Array.from({ length: 20 }, (_, at) => `Record ${at}`);
    await Promise.all(names.map((name, at) => createRecord(at % 2 ? one : other, name)));
    await ended(one, 20);
    await expectEachOnce(one, receiver.requests);
  });
});
