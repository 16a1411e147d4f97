import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { Cipher } from "../../../../lib/cipher.ts";
import { newId } from "../../../../lib/ids.ts";
import { stringifyOrdered } from "../../../../lib/ordered-json.ts";
import { credentialsPlace } from "../../../../lib/sealed-places.ts";
import { describeOnBothDatabases, everythingIn } from "../../../support/databases.ts";
import { dumpTarget, enqueue } from "../../../support/test-deliveries.ts";
import {
  newTestIntegrations,
  type SampleType,
  SECRET,
  sampleConfigs,
  type TestIntegrations,
  testCipher,
} from "./support/test-integrations.ts";

/** The databases' clock is the host's here, give or take the precision of either. */
const CLOCK_TOLERANCE_MS = 2_000;

const atOnce: SampleType[] = ["slack", "discord", "zapier"];
const byOAuth: SampleType[] = ["github", "gitlab", "google_drive", "dropbox"];
const ids = Object.keys(sampleConfigs).map((type) => `int_${type}`);

const withStatus = (code: number) => expect.objectContaining({ code });

describeOnBothDatabases("integrations", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  /** The credentials as whoever calls the provider gets them. */
  const credentialsOf = async ({ rows }: TestIntegrations, id: string): Promise<unknown> => {
    const row = (await rows()).find((candidate) => candidate.id === id);
    return row?.credentials
      ? JSON.parse(testCipher.open(row.credentials, credentialsPlace(id)))
      : row?.credentials;
  };
  const told = async ({ events }: TestIntegrations) =>
    (await events()).map(({ event, payload }) => ({ event, data: JSON.parse(payload).data }));

  describe("to connect", () => {
    test.each(atOnce)("%s connects at once, and tells", async (type) => {
      const acme = await newTestIntegrations(database);
      const before = Date.now();
      const made = await acme.connect(type);
      expect(Object.keys(made)).toEqual(["id", "type", "name", "status", "connected_at", "config"]);
      expect(made).toMatchObject({
        id: expect.stringMatching(/^int_[0-9A-Z]{26}$/),
        type,
        status: "connected",
      });
      expect(Date.parse(made.connected_at ?? "")).toBeGreaterThanOrEqual(before);
      expect(await told(acme)).toEqual([
        { event: "integration.connected", data: { ...made, connected_by: acme.caller.userId } },
      ]);
    });

    test.each(byOAuth)("%s waits for its authorization, and tells nobody", async (type) => {
      const acme = await newTestIntegrations(database);
      const made = await acme.connect(type);
      expect(made).toMatchObject({ status: "pending_auth", connected_at: null, config: sampleConfigs[type] });
      expect(await told(acme)).toEqual([]);
    });

    test("keeps what may be shown in the client's order, and what may not out of it", async () => {
      const acme = await newTestIntegrations(database);
      const config = {
        events: ["user.invited", "record.created"],
        bot_token: "xoxb-1",
        channel: " #général ",
      };
      const made = await acme.connect("slack", config);
      expect(stringifyOrdered(made.config)).toBe(
        '{"events":["user.invited","record.created"],"channel":" #général "}',
      );
      expect(await acme.get(made.id)).toEqual(made);
      expect(await acme.list()).toEqual([made]);
      expect(await credentialsOf(acme, made.id)).toEqual({ bot_token: "xoxb-1" });
    });

    test("stands since the moment of the database's clock", async () => {
      const acme = await newTestIntegrations(database);
      const before = Date.now();
      await acme.connect("zapier");
      const [row] = await acme.rows();
      expect(row?.stands_since).toBeGreaterThan(before - CLOCK_TOLERANCE_MS);
      expect(row?.stands_since).toBeLessThan(Date.now() + CLOCK_TOLERANCE_MS);
    });

    test.each([...atOnce, ...byOAuth])("%s a second time is a conflict", async (type) => {
      const acme = await newTestIntegrations(database);
      await acme.connect(type);
      const before = [await acme.rows(), await acme.events()];
      await expect(acme.connect(type)).rejects.toMatchObject({ errorCode: "conflict", code: 409 });
      expect([await acme.rows(), await acme.events()]).toEqual(before);
    });

    test("in one workspace does not hinder another one", async () => {
      for (const acme of [await newTestIntegrations(database), await newTestIntegrations(database)]) {
        await acme.connect("slack");
      }
    });

    test("is possible again after a disconnection", async () => {
      const acme = await newTestIntegrations(database);
      const first = await acme.connect("github");
      await acme.writer.remove(acme.caller, first.id);
      expect((await acme.connect("github")).id).not.toBe(first.id);
    });

    test("ten times at once is done once, and told once", async () => {
      const acme = await newTestIntegrations(database);
      const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => acme.connect("slack")));
      const refused = outcomes.filter((outcome) => outcome.status === "rejected");
      expect(refused.map(({ reason }) => reason.code)).toEqual(Array(9).fill(409));
      expect(await acme.rows()).toHaveLength(1);
      expect(await acme.events()).toHaveLength(1);
    });

    test("with a config that is not valid leaves nothing behind", async () => {
      const acme = await newTestIntegrations(database);
      await expect(acme.connect("slack", {})).rejects.toThrow(withStatus(422));
      await expect(
        acme.connect("zapier", { hook_url: "https://a.example/".padEnd(2_049, "a") }),
      ).rejects.toThrow(withStatus(400));
      expect([await acme.rows(), await acme.events()]).toEqual([[], []]);
    });
  });

  describe("to change", () => {
    test("merges keys, keeps their order, and puts new ones at the end", async () => {
      const acme = await newTestIntegrations(database);
      const made = await acme.connect("github", { branch: "main", repository: "acme/data" });
      const config = { organization: "acme", branch: "next" };
      const changed = await acme.writer.update(acme.caller, { id: made.id, config });
      expect(stringifyOrdered(changed)).toBe(
        stringifyOrdered({
          ...made,
          config: { branch: "next", repository: "acme/data", organization: "acme" },
        }),
      );
      expect(await acme.get(made.id)).toEqual(changed);
    });

    test("replaces the events, and is told to nobody", async () => {
      const acme = await newTestIntegrations(database);
      const made = await acme.connect("slack");
      const before = await acme.events();
      for (const events of [["user.removed", "user.invited"], []]) {
        const changed = await acme.writer.update(acme.caller, { id: made.id, config: { events } });
        expect(changed).toEqual({ ...made, config: { ...made.config, events } });
      }
      expect(await acme.events()).toEqual(before);
    });

    test("replaces a credential without showing it, and leaves it alone where it is not given", async () => {
      const acme = await newTestIntegrations(database);
      const made = await acme.connect("slack");
      const [before] = await acme.rows();
      await acme.writer.update(acme.caller, { id: made.id, config: { channel: "#other" } });
      expect((await acme.rows())[0]?.credentials).toBe(before?.credentials);
      const changed = await acme.writer.update(acme.caller, { id: made.id, config: { bot_token: "xoxb-2" } });
      expect(changed.config).toEqual({ ...made.config, channel: "#other" });
      expect(await credentialsOf(acme, made.id)).toEqual({ bot_token: "xoxb-2" });
    });

    test("by an empty config changes nothing at all", async () => {
      const acme = await newTestIntegrations(database);
      const made = await acme.connect("slack");
      const before = await acme.rows();
      expect(await acme.writer.update(acme.caller, { id: made.id, config: {} })).toEqual(made);
      expect(await acme.rows()).toEqual(before);
    });

    test("works while an authorization is awaited, which it still is then", async () => {
      const acme = await newTestIntegrations(database);
      const { id } = await acme.connect("dropbox", {});
      const changed = await acme.writer.update(acme.caller, { id, config: { folder: "/New" } });
      expect(changed).toMatchObject({
        status: "pending_auth",
        connected_at: null,
        config: { folder: "/New" },
      });
    });

    test("of different keys at once takes effect for all of them", async () => {
      const acme = await newTestIntegrations(database);
      const { id } = await acme.connect("gitlab", {});
      const configs = [{ repository: "r" }, { organization: "o" }, { branch: "b" }];
      await Promise.all(configs.map((config) => acme.writer.update(acme.caller, { id, config })));
      expect((await acme.get(id)).config).toEqual({ repository: "r", organization: "o", branch: "b" });
    });

    test.each([
      [422, { events: ["nosuch"] }],
      [422, { color: "red" }],
      [422, { channel: " ", events: [] }],
      [400, { channel: "a".repeat(256) }],
    ])("is refused with %i for %j, and nothing changes", async (status, config) => {
      const acme = await newTestIntegrations(database);
      const { id } = await acme.connect("slack");
      const before = await acme.rows();
      await expect(acme.writer.update(acme.caller, { id, config })).rejects.toThrow(withStatus(status));
      expect(await acme.rows()).toEqual(before);
    });

    test("overcomes credentials that no key opens, where all of them are given anew", async () => {
      const stranger = new Cipher(Buffer.alloc(32, "stranger"));
      const acme = await newTestIntegrations(database);
      const { id } = await acme.connect("slack");
      const sealed = stranger.seal("{}", credentialsPlace(id));
      await database.transaction((transaction) =>
        transaction.execute("UPDATE integrations SET credentials = ? WHERE id = ?", [sealed, id]),
      );
      await acme.writer.update(acme.caller, { id, config: { channel: "#a", bot_token: "xoxb-3" } });
      expect(await credentialsOf(acme, id)).toEqual({ bot_token: "xoxb-3" });
    });
  });

  describe("to disconnect", () => {
    test.each(["slack", "github"] as const)("%s removes it, and tells what it was last", async (type) => {
      const acme = await newTestIntegrations(database);
      const { id } = await acme.connect(type);
      const last = await acme.get(id);
      await enqueue(database, [{ targetId: id }]);
      expect(await acme.writer.remove(acme.caller, id)).toBeNull();
      expect(await acme.rows()).toEqual([]);
      expect((await dumpTarget(database, id)).queue).toEqual([]);
      expect((await told(acme)).at(-1)).toEqual({
        event: "integration.disconnected",
        data: { ...last, disconnected_by: acme.caller.userId },
      });
    });

    test("twice at once is done once, and told once", async () => {
      const acme = await newTestIntegrations(database);
      const { id } = await acme.connect("github");
      const outcomes = await Promise.allSettled([1, 2, 3].map(() => acme.writer.remove(acme.caller, id)));
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await acme.events()).toHaveLength(1);
    });
  });

  test.each([...ids, newId("integration"), "", "int_", "nonsense'"])(
    "there is none to change at %p",
    async (id) => {
      const acme = await newTestIntegrations(database);
      await expect(acme.writer.update(acme.caller, { id, config: {} })).rejects.toThrow(withStatus(404));
      await expect(acme.writer.remove(acme.caller, id)).rejects.toThrow(withStatus(404));
      expect(await acme.events()).toEqual([]);
    },
  );

  test("those of another workspace are as good as none", async () => {
    const acme = await newTestIntegrations(database);
    const other = await newTestIntegrations(database);
    const { id } = await other.connect("slack");
    await expect(acme.get(id)).rejects.toThrow(withStatus(404));
    await expect(acme.writer.update(acme.caller, { id, config: {} })).rejects.toThrow(withStatus(404));
    await expect(acme.writer.remove(acme.caller, id)).rejects.toThrow(withStatus(404));
    expect(await acme.list()).toEqual([]);
    expect(await other.rows()).toHaveLength(1);
  });

  test("no credential is in an answer, an event or a column, whatever was done", async () => {
    const fresh = await open();
    const acme = await newTestIntegrations(fresh);
    const answers: unknown[] = [];
    for (const type of [...atOnce, ...byOAuth]) {
      const { id } = await acme.connect(type);
      const key = Object.entries(sampleConfigs[type]).find(([, value]) => String(value).includes(SECRET));
      const config = key ? { [key[0]]: `${key[1]}2` } : {};
      answers.push(await acme.writer.update(acme.caller, { id, config }), await acme.get(id));
      answers.push(await acme.connect(type).catch((error: Error) => error.stack));
    }
    answers.push(await acme.list());
    const stored = await everythingIn(fresh);
    for (const { id } of await acme.list()) await acme.writer.remove(acme.caller, id);
    const texts = [JSON.stringify(answers), stored, await everythingIn(fresh)];
    expect(texts.filter((text) => text.includes(SECRET))).toEqual([]);
    // They are in there, sealed.
    expect(stored.split(testCipher.prefix)).toHaveLength(1 + atOnce.length);
  });
});
