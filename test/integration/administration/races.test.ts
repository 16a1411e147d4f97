import { afterAll, afterEach, beforeAll, describe, expect, test } from "@jest/globals";
import { cipherOf } from "../../../mixins/secrets.middleware.ts";
import type { IntegrationResource } from "../../../services/integrations/integration.schema.ts";
import type { UserResource } from "../../../services/users/user.schema.ts";
import type { WebhookResource } from "../../../services/webhooks/webhook.schema.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import type { Side } from "../scenarios/sides.ts";
import { type Hook, startHook } from "./support/hook.ts";
import { Gathering, Nodes, onlyWinner, race } from "./support/race.ts";

const RACERS = 10;
const WEBHOOK_LIMIT = 3;
/** How often members of one thing are changed at once: each time, none may undo another. */
const PATCH_ROUNDS = 5;
const CONFLICT = [409, "conflict"] as const;
const NOT_FOUND = [404, "not_found"] as const;

const slackConfig = { channel: "#general", bot_token: "xoxb-1", events: ["record.created"] };

describeOnBothDatabases("requests that race", (_open, freshStorage) => {
  let nodes: Nodes;
  let hook: Hook;

  beforeAll(async () => {
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
    const { users } = await nodes.dump(side);
    expect(users.filter((user) => user.email_key === "grace.hopper@example.com")).toMatchObject([
      { id, email },
    ]);
    expect(users).toHaveLength(Object.keys(side.users).length + 1);
    expect(await nodes.told(side)).toEqual([["user.invited", id]]);
    expect(await nodes.totals(side, "/v1/users?role=editor")).toEqual(new Set([2]));
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
    expect((await nodes.dump(side)).integrations).toMatchObject([{ id, type }]);
    expect(await nodes.told(side)).toEqual(events.map((event) => [event, id]));
  });

  test("for the last place among the registrations let one in", async () => {
    const side = await nodes.newSide();
    for (let place = 1; place < WEBHOOK_LIMIT; place += 1) await nodes.insertWebhook(side);
    const answers = await race(RACERS, (turn) =>
      nodes.send<WebhookResource>(turn, "POST", "/v1/webhooks", {
        key: side.keys.admin,
        body: { url: `${hook.url}/${turn}`, events: ["*"] },
      }),
    );
    const { body } = onlyWinner(answers, 201, [429, "limit_reached"]);
    // All were asked, and none had its answer before the last was: so nobody was refused at the first look.
    expect(hook.askedCount()).toBe(RACERS);
    for (const { headers } of answers) expect(headers["retry-after"]).toBeUndefined();
    const { webhooks, webhookCounts } = await nodes.dump(side);
    expect(webhooks).toHaveLength(WEBHOOK_LIMIT);
    const { id, url } = body.data;
    expect(webhooks).toContainEqual(expect.objectContaining({ id, url }));
    expect(webhookCounts).toMatchObject([{ count: WEBHOOK_LIMIT }]);
    expect(await nodes.totals(side, "/v1/webhooks")).toEqual(new Set([WEBHOOK_LIMIT]));
    expect(await nodes.told(side)).toEqual([]);
  });

  describe("to change different keys of one config all take effect", () => {
    const patch = async (side: Side, id: string, configs: readonly object[]) => {
      const answers = await race(configs.length, (turn) =>
        nodes.send(turn, "PATCH", `/v1/integrations/${id}`, {
          key: side.keys.admin,
          body: { config: configs[turn] },
        }),
      );
      expect(answers.map(({ status }) => status)).toEqual(configs.map(() => 200));
    };

    const stored = async (side: Side) => {
      const [row] = (await nodes.dump(side)).integrations;
      if (!row) throw new Error("The integration is gone.");
      const { id, config, credentials } = row;
      const secret = credentials && cipherOf(nodes.at(0).broker).open(credentials, `integrations/${id}`);
      return { shown: JSON.parse(config), secret: secret && JSON.parse(secret) };
    };

    test("where all are shown", async () => {
      const side = await nodes.newSide();
      const id = await connect(side, "github", { repository: "r", organization: "o", branch: "b" });
      for (let round = 0; round < PATCH_ROUNDS; round += 1) {
        const shown = { repository: `r${round}`, organization: `o${round}`, branch: `b${round}` };
        await patch(
          side,
          id,
          Object.entries(shown).map(([key, value]) => ({ [key]: value })),
        );
        expect(await stored(side)).toEqual({ shown, secret: null });
      }
      expect(await nodes.told(side)).toEqual([]);
    });

    test("where one is sealed", async () => {
      const side = await nodes.newSide();
      const id = await connect(side, "slack", slackConfig);
      for (let round = 0; round < PATCH_ROUNDS; round += 1) {
        const shown = { channel: `#c${round}`, events: [["user.invited"], ["user.removed"]][round % 2] };
        const secret = { bot_token: `xoxb-new-${round}` };
        await patch(side, id, [{ channel: shown.channel }, secret, { events: shown.events }]);
        expect(await stored(side)).toEqual({ shown, secret });
      }
      expect(await nodes.told(side)).toEqual([["integration.connected", id]]);
    });
  });

  test("to change different members of one user all take effect", async () => {
    const side = await nodes.newSide();
    const id = side.users.editor;
    for (let round = 0; round < PATCH_ROUNDS; round += 1) {
      const isEven = round % 2 === 0;
      const members = {
        name: `Name ${round}`,
        role: isEven ? "viewer" : "editor",
        status: isEven ? "inactive" : "active",
      };
      const patches = Object.entries(members).map(([member, value]) => ({ [member]: value }));
      const answers = await race(patches.length, (turn) =>
        nodes.send(turn, "PATCH", `/v1/users/${id}`, { key: side.keys.admin, body: patches[turn] }),
      );
      expect(answers.map(({ status }) => status)).toEqual(patches.map(() => 200));
      const { users } = await nodes.dump(side);
      expect(users.find((user) => user.id === id)).toMatchObject(members);
      const { role, status } = members;
      expect(await nodes.totals(side, `/v1/users?role=${role}&status=${status}`)).toEqual(new Set([1]));
    }
    expect(await nodes.told(side)).toEqual([]);
  });

  describe("to remove one thing remove it once", () => {
    const remove = async ({ keys: { admin: key } }: Side, path: string) => {
      const answers = await race(RACERS, (turn) => nodes.send(turn, "DELETE", path, { key }));
      expect(onlyWinner(answers, 204, NOT_FOUND).text).toBe("");
    };

    test("a user", async () => {
      const side = await nodes.newSide();
      const id = side.users.editor;
      await remove(side, `/v1/users/${id}`);
      const { users, keys } = await nodes.dump(side);
      expect(users.map((user) => user.role).sort()).toEqual(["admin", "viewer"]);
      expect(keys.filter(({ user_id }) => user_id === id)).toEqual([]);
      expect(await nodes.told(side)).toEqual([["user.removed", id]]);
      expect(await nodes.totals(side, "/v1/users")).toEqual(new Set([2]));
      expect(await nodes.totals(side, "/v1/users?role=editor")).toEqual(new Set([0]));
    });

    test("an integration", async () => {
      const side = await nodes.newSide();
      const id = await connect(side, "slack", slackConfig);
      await remove(side, `/v1/integrations/${id}`);
      expect((await nodes.dump(side)).integrations).toEqual([]);
      expect(await nodes.told(side)).toEqual([
        ["integration.connected", id],
        ["integration.disconnected", id],
      ]);
    });

    test("a registration", async () => {
      const side = await nodes.newSide();
      const [id, kept] = [await nodes.insertWebhook(side), await nodes.insertWebhook(side)];
      await remove(side, `/v1/webhooks/${id}`);
      const { webhooks, webhookCounts } = await nodes.dump(side);
      expect(webhooks.map((webhook) => webhook.id)).toEqual([kept]);
      expect(webhookCounts).toMatchObject([{ count: 1 }]);
      expect(await nodes.told(side)).toEqual([]);
      expect(await nodes.totals(side, "/v1/webhooks")).toEqual(new Set([1]));
    });
  });
});

/** The text with some of its letters in upper case: others for every turn below 1024. */
function inCase(text: string, turn: number): string {
  return Array.from(text, (letter, at) => ((turn >> (at % 10)) & 1 ? letter.toUpperCase() : letter)).join("");
}
