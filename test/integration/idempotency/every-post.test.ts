import { afterAll, beforeAll, describe, expect, test } from "@jest/globals";
import { databaseOf } from "../../../mixins/database.middleware.ts";
import { routes } from "../../../services/gateway/routes.ts";
import { type App, startApp } from "../../support/app.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { request } from "../../support/http.ts";

/** A body that each POST of the interface accepts. A second request with it would make more, or be refused. */
const bodies: Readonly<Record<string, object>> = {
  "/v1/data": { name: "A", type: "note" },
  "/v1/data/bulk-create": { records: [{ name: "A", type: "note" }] },
  "/v1/users": { email: "ana@example.com", name: "Ana", role: "editor" },
  "/v1/integrations": { type: "slack", config: { channel: "#general", bot_token: "xoxb-secret-token" } },
};

/** Those that make one item, and say where it can be fetched. */
const located = ["/v1/data", "/v1/users", "/v1/integrations"];

/** Those that need somebody who takes deliveries, or deliveries: test/integration/webhooks and deliveries have them. */
const elsewhere = [
  "/v1/webhooks",
  "/v1/webhooks/:id/recover",
  "/v1/webhooks/:id/deliveries/:delivery_id/resend",
];

const posts = routes.filter(({ method }) => method === "POST").map(({ path }) => path);

describe("the table", () => {
  test("has a body for every POST of the interface", () => {
    expect([...Object.keys(bodies), ...elsewhere].sort()).toEqual(posts.toSorted());
  });
});

describeOnBothDatabases("every POST", (_open, freshStorage) => {
  let app: App;

  beforeAll(async () => {
    const { dataDir, databaseUrl } = await freshStorage();
    app = await startApp({
      env: databaseUrl === undefined ? { DATA_DIR: dataDir } : { DATABASE_URL: databaseUrl },
    });
  });

  afterAll(async () => {
    await app?.stop();
  });

  const events = () => databaseOf(app.broker).read.query("SELECT id FROM events");

  test.each(Object.entries(bodies))("stores its answer with its write: %s", async (path, body) => {
    const send = () =>
      request<{ id: string }>(app, "POST", path, { body, headers: { "Idempotency-Key": "one-key" } });
    const before = await events();
    const first = await send();
    expect(first.status).toBe(201);
    const location = located.includes(path) ? `${path}/${first.body.data.id}` : undefined;
    expect(first.headers.location).toBe(location);
    expect(await events()).toHaveLength(before.length + 1);
    for (const repeat of [await send(), await send()]) {
      expect([repeat.status, repeat.text]).toEqual([first.status, first.text]);
      expect(repeat.headers.location).toBe(location);
    }
    expect(await events()).toHaveLength(before.length + 1);
  });

  test("stores no secret in the plain", async () => {
    const rows = await databaseOf(app.broker).read.query("SELECT * FROM idempotency_keys");
    expect(rows).toHaveLength(Object.keys(bodies).length);
    expect(JSON.stringify(rows)).not.toContain("xoxb");
  });
});
