import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { stringifyOrdered } from "../../../lib/ordered-json.ts";
import { cipherOf } from "../../../mixins/secrets.middleware.ts";
import type { IntegrationResource } from "../../../services/integrations/integration.schema.ts";
import type { UserResource } from "../../../services/users/user.schema.ts";
import type { WebhookResource } from "../../../services/webhooks/webhook.schema.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import type { Side } from "../scenarios/sides.ts";
import { dumpTables } from "./support/dump-tables.ts";
import { type Hook, startHook } from "./support/hook.ts";
import { Gathering, Nodes, onlyWinner, race } from "./support/race.ts";

const RACERS = 10;
const WEBHOOK_LIMIT = 3;
const CONFLICT = [409, "conflict"] as const;
const NOT_FOUND = [404, "not_found"] as const;

const slackConfig = { channel: "#general", bot_token: "xoxb-1", events: ["record.created"] };

describeOnBothDatabases("requests that race", (_open, freshStorage) => {
  let nodes: Nodes;
  let hook: Hook;

  beforeAll(async () => {
    // Those that a workspace has before it races wait for each other too.
    hook = await startHook(new Gathering(RACERS).answer);
    nodes = await Nodes.start(freshStorage, { ...hook.env, WEBHOOK_LIMIT: String(WEBHOOK_LIMIT) });
  });

  afterAll(async () => {
    await nodes?.stop();
    await hook?.stop();
  });

  afterEach(() => {
    expect(nodes.log).toEqual([]);
  });

  const dump = (side: Side) => dumpTables(nodes.database.read, side);

  /** What the workspace was told, by event and the id of what it is about. */
  const told = async (side: Side) =>
    (await dump(side)).events.map(({ event, payload }) => {
      const { data }: { data: { id: string } } = JSON.parse(payload);
      return [event, data.id];
    });

  /** A list's `meta.total`, as every node says it. */
  const totals = async ({ keys: { viewer: key } }: Side, path: string) =>
    new Set(
      (await race(2, (turn) => nodes.send(turn, "GET", path, { key }))).map(({ body }) => body.meta.total),
    );

  const connect = async ({ keys: { admin: key } }: Side, type: string, config: object) => {
    const answer = await nodes.send<IntegrationResource>(0, "POST", "/v1/integrations", {
      key,
      body: { type, config },
    });
    expect(answer.status).toBe(201);
    return answer.body.data.id;
  };

  test("for one email make one user, however they write it", async () => {
    const side = await nodes.newSide();
    const emails = Array.from({ length: RACERS }, (_, turn) => inCase("grace.hopper@example.com", turn));
    expect(new Set(emails).size).toBe(RACERS);
    const answers = await race(RACERS, (turn) =>
      nodes.send<UserResource>(turn, "POST", "/v1/users", {
        key: side.keys.admin,
        body: { email: emails[turn], name: `User ${turn}`, role: "editor" },
      }),
    );
    const { body, headers } = onlyWinner(answers, 201, CONFLICT);
    const { id, email } = body.data;
    expect(headers.location).toBe(`/v1/users/${id}`);
    const { users } = await dump(side);
    expect(users.filter((user) => user.email_key === "grace.hopper@example.com")).toMatchObject([
      { id, email },
    ]);
    expect(users).toHaveLength(Object.keys(side.users).length + 1);
    expect(await told(side)).toEqual([["user.invited", id]]);
    expect(await totals(side, "/v1/users?role=editor")).toEqual(new Set([2]));
  });

  test.each([
    { type: "slack", config: slackConfig, events: ["integration.connected"] },
    { type: "github", config: { repository: "a/b" }, events: [] },
  ])("for one type make one integration: $type", async ({ type, config, events }) => {
    const side = await nodes.newSide();
    const answers = await race(RACERS, (turn) =>
      nodes.send<IntegrationResource>(turn, "POST", "/v1/integrations", {
        key: side.keys.admin,
        body: { type, config },
      }),
    );
    const { body, headers } = onlyWinner(answers, 201, CONFLICT);
    const { id } = body.data;
    expect(headers.location).toBe(`/v1/integrations/${id}`);
    expect((await dump(side)).integrations).toMatchObject([{ id, type }]);
    expect(await told(side)).toEqual(events.map((event) => [event, id]));
  });

  describe("for the last place among the registrations", () => {
    let side: Side;

    const register = (turn: number) =>
      nodes.send<WebhookResource>(turn, "POST", "/v1/webhooks", {
        key: side.keys.admin,
        body: { url: `${hook.url}/${turn}`, events: ["*"] },
      });

    test("let one in, though all were let past the first look", async () => {
      side = await nodes.newSide();
      await fill(side, WEBHOOK_LIMIT - 1);
      const askedBefore = hook.askedCount();
      const answers = await race(RACERS, register);
      const { body } = onlyWinner(answers, 201, [429, "limit_reached"]);
      // All were asked, and none had its answer before: so it is the look within the transaction that refused.
      expect(hook.askedCount() - askedBefore).toBe(RACERS);
      for (const { headers } of answers) expect(headers["retry-after"]).toBeUndefined();
      const { webhooks, webhookCounts } = await dump(side);
      expect(webhooks).toHaveLength(WEBHOOK_LIMIT);
      expect(webhooks).toContainEqual(expect.objectContaining({ id: body.data.id, url: body.data.url }));
      expect(webhookCounts).toMatchObject([{ count: WEBHOOK_LIMIT }]);
      expect(await totals(side, "/v1/webhooks")).toEqual(new Set([WEBHOOK_LIMIT]));
      expect(await told(side)).toEqual([]);
    });
  });
});
