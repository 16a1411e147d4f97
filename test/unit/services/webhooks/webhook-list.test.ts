import { beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import type { WebhookResource } from "../../../../services/webhooks/webhook.schema.ts";
import { listWebhooks } from "../../../../services/webhooks/webhook-list.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { newWebhookWorkspace, type WebhookWorkspace } from "./support/test-webhooks.ts";

const COUNT = 105;

describeOnBothDatabases("the list of webhook registrations", (open) => {
  let database: Database;
  let workspace: WebhookWorkspace;
  const made: WebhookResource[] = [];

  beforeAll(async () => {
    database = await open();
    workspace = await newWebhookWorkspace(database, { limit: COUNT });
    const other = await newWebhookWorkspace(database);
    for (let n = 0; n < COUNT; n += 1) {
      made.push(await workspace.create({ url: `https://receiver.test/${n}`, secret: `secret ${n}` }));
      if (n % 50 === 0) await other.create();
    }
  });

  test.each([
    ["everything where no page is asked for", {}, 0, COUNT],
    ["20 a page", { page: 1 }, 0, 20],
    ["what the next page has", { page: 2 }, 20, 40],
    ["what is left on the last page", { page: 6 }, 100, COUNT],
    ["nothing behind it", { page: 7 }, COUNT, COUNT],
    ["as many as are asked for", { per_page: 3 }, 0, 3],
    ["a page of as many", { page: 3, per_page: 4 }, 8, 12],
    ["100 where more are asked for", { per_page: 1_000 }, 0, 100],
    ["the rest of these on the next page", { page: 2, per_page: 1_000 }, 100, COUNT],
  ])("has %s, the oldest first, and the total of all", async (_, params, from, to) => {
    expect(await listWebhooks(database.read, workspace.caller, params)).toEqual({
      items: made.slice(from, to),
      total: COUNT,
    });
  });

  test("shows the interface's members in its order, and nothing else", async () => {
    const { items } = await workspace.list();
    for (const item of items) {
      expect(Object.keys(item)).toEqual(["id", "url", "events", "status", "created_at"]);
    }
  });

  test("is empty for a workspace that never had one", async () => {
    const empty = await newWebhookWorkspace(database);
    expect(await empty.list()).toEqual({ items: [], total: 0 });
  });

  test("refuses too deep a page with 400", async () => {
    const asked = listWebhooks(database.read, workspace.caller, { page: 5_001, per_page: 20 });
    await expect(asked).rejects.toMatchObject({ errorCode: "invalid_request", details: [{ path: "page" }] });
  });
});
