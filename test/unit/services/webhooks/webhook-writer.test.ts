import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { Cipher } from "../../../../lib/cipher.ts";
import { ServiceError } from "../../../../lib/errors.ts";
import { idTimeMs, newId } from "../../../../lib/ids.ts";
import { webhookSecretPlace } from "../../../../lib/sealed-places.ts";
import { admitKeys, retireOtherKeys } from "../../../../mixins/known-keys.ts";
import type { WebhookRow } from "../../../../services/webhooks/webhook.entity.ts";
import { describeOnBothDatabases, everythingIn } from "../../../support/databases.ts";
import { breakAtStatement, InjectedFault } from "../../../support/faulty-database.ts";
import { dumpTarget, enqueue } from "../../../support/test-deliveries.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { newWebhookWorkspace, testCipher, usual } from "./support/test-webhooks.ts";

const limitReached = { errorCode: "limit_reached", code: 429 };
const notFound = { errorCode: "not_found", message: "No webhook with this id." };
const refused = new ServiceError("unprocessable", "Not so.");

describeOnBothDatabases("the writer of webhook registrations", (open) => {
  let database: Database;
  beforeAll(async () => {
    database = await open();
  });

  const storedRow = async (id: string) => {
    const [row] = await database.read.query<WebhookRow>("SELECT * FROM webhooks WHERE id = ?", [id]);
    if (!row) throw new Error("The registration is not stored.");
    return row;
  };

  describe("create", () => {
    test("gives the registration and stores it, with its count and without an event", async () => {
      const workspace = await newWebhookWorkspace(database);
      const beforeMs = Date.now();
      const events = ["record.deleted", "*", "record.created", "*"] as const;
      const made = await workspace.create({ events: [...events] });
      expect(Object.entries(made)).toEqual([
        ["id", expect.stringMatching(/^wh_[0-9A-Z]{26}$/)],
        ["url", usual.url],
        ["events", events],
        ["status", "active"],
        ["created_at", new Date(idTimeMs("webhook", made.id)).toISOString()],
      ]);
      const { stands_since, ...row } = await storedRow(made.id);
      expect(row).toEqual({
        id: made.id,
        workspace_id: workspace.caller.workspaceId,
        url: usual.url,
        events: JSON.stringify(events),
        status: "active",
        secret: null,
        created_at: workspace.clock.nowMs,
      });
      // By the database's clock: the node's says another year here.
      expect(stands_since).toBeGreaterThanOrEqual(beforeMs - 1);
      expect(stands_since).toBeLessThanOrEqual(Date.now() + 1);
      expect(await workspace.dump()).toMatchObject({ counts: [{ count: 1 }], events: [] });
    });

    test("with a secret stores nothing where the key that would seal it was retired", async () => {
      const fresh = await open();
      const workspace = await newWebhookWorkspace(fresh);
      const next = new Cipher(Buffer.alloc(32, "next"), Buffer.alloc(32, "webhooks"));
      await admitKeys(fresh, next);
      await retireOtherKeys(fresh, next);
      await expect(workspace.create({ secret: "hush" })).rejects.toMatchObject({
        errorCode: "unavailable",
        cause: expect.objectContaining({ message: expect.stringContaining("SECRET_KEY") }),
      });
      expect(await workspace.dump()).toEqual({ webhooks: [], counts: [], events: [] });
      await workspace.create();
      expect((await workspace.list()).total).toBe(1);
    });

    test("keeps a secret sealed for its registration, and shows it nowhere", async () => {
      const workspace = await newWebhookWorkspace(database);
      const secret = " pässwörd-\u{1f511} ";
      const made = await workspace.create({ secret });
      const { secret: sealed } = await storedRow(made.id);
      expect(testCipher.open(sealed ?? "", webhookSecretPlace(made.id))).toBe(secret);
      expect(() => testCipher.open(sealed ?? "", webhookSecretPlace("wh_other"))).toThrow();
      expect(JSON.stringify(made)).not.toContain("wörd");
      expect(await everythingIn(database)).not.toContain("wörd");
    });

    test("has the address asked with the registration as it will be, before anything is stored", async () => {
      const workspace = await newWebhookWorkspace(database);
      const asked: unknown[] = [];
      workspace.validate.mockImplementation(async (...call) => {
        asked.push(call, await workspace.dump());
      });
      const made = await workspace.create({ secret: "s" });
      expect(asked).toEqual([
        [workspace.caller.workspaceId, made, "s"],
        { webhooks: [], counts: [], events: [] },
      ]);
    });

    test("stores nothing where the address is refused", async () => {
      const workspace = await newWebhookWorkspace(database);
      workspace.validate.mockRejectedValue(refused);
      await expect(workspace.create({ secret: "s" })).rejects.toBe(refused);
      expect(await workspace.dump()).toEqual({ webhooks: [], counts: [], events: [] });
    });

    test("has the transaction give exactly what it gives: the answer that a repeat of the request gets", async () => {
      const workspace = await newWebhookWorkspace(database);
      const requestHash = newId("event");
      await database.transaction((transaction) =>
        transaction.execute(
          `INSERT INTO idempotency_keys (workspace_id, request_hash, body_hash, claim_id, answer, expires_at)
           VALUES (?, ?, 'body', 'claim', NULL, ?)`,
          [workspace.caller.workspaceId, requestHash, Date.now() + 60_000],
        ),
      );
      const claim = { requestHash, id: "claim", isAnswered: false };
      const made = await workspace.writer.create(
        { ...workspace.caller, claim },
        { ...usual, secret: "s3cret" },
      );
      const [stored] = await database.read.query<{ answer: string }>(
        "SELECT answer FROM idempotency_keys WHERE request_hash = ?",
        [requestHash],
      );
      expect(stored?.answer).toBe(JSON.stringify(made));
    });
  });

  test("twenty addresses are asked at a time in a workspace's name, and the next request is turned away", async () => {
    const workspace = await newWebhookWorkspace(database, { limit: 100 });
    const { promise, resolve } = Promise.withResolvers<void>();
    workspace.validate.mockReturnValue(promise);
    const asking = Array.from({ length: 20 }, () => workspace.create());
    await waitFor(() => workspace.validate.mock.calls.length === 20, { what: "twenty to be asked" });
    await expect(workspace.create()).rejects.toMatchObject({
      errorCode: "rate_limited",
      retryAfterSeconds: 5,
    });
    expect(workspace.validate).toHaveBeenCalledTimes(20);
    resolve();
    await Promise.all(asking);
    await workspace.create();
    expect((await workspace.list()).total).toBe(21);
  });

  describe("the limit", () => {
    test("refuses the next one before its address is asked, and names itself", async () => {
      const workspace = await newWebhookWorkspace(database, { limit: 2 });
      await workspace.create();
      await workspace.create();
      const before = await workspace.dump();
      workspace.validate.mockClear();
      await expect(workspace.create()).rejects.toMatchObject({
        ...limitReached,
        message: "A workspace may have at most 2 webhook registrations; remove one first.",
      });
      expect(workspace.validate).not.toHaveBeenCalled();
      expect(await workspace.dump()).toEqual(before);
    });

    test("of 0 lets nobody register", async () => {
      const workspace = await newWebhookWorkspace(database, { limit: 0 });
      await expect(workspace.create()).rejects.toMatchObject(limitReached);
      expect(await workspace.dump()).toEqual({ webhooks: [], counts: [], events: [] });
    });

    test("is a workspace's own, and a removal makes room", async () => {
      const [full, other] = [
        await newWebhookWorkspace(database, { limit: 1 }),
        await newWebhookWorkspace(database, { limit: 1 }),
      ];
      const { id } = await full.create();
      await other.create();
      await expect(full.create()).rejects.toMatchObject(limitReached);
      await full.writer.remove(full.caller, id);
      await full.create();
      expect(await full.dump()).toMatchObject({ counts: [{ count: 1 }] });
    });

    test.each([1, 4])("of %i lets one of ten in that race for the last place", async (limit) => {
      const workspace = await newWebhookWorkspace(database, { limit });
      for (let count = 1; count < limit; count += 1) await workspace.create();
      // Nobody goes on before all have been found to have room.
      let arrived = 0;
      const { promise: allHere, resolve } = Promise.withResolvers<void>();
      workspace.validate.mockImplementation(async () => {
        arrived += 1;
        if (arrived === 10) resolve();
        await allHere;
      });
      const settled = await Promise.allSettled(Array.from({ length: 10 }, () => workspace.create()));
      expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const reasons = settled.flatMap((one) => (one.status === "rejected" ? [one.reason] : []));
      expect(reasons).toEqual(Array(9).fill(expect.objectContaining(limitReached)));
      const { webhooks, counts } = await workspace.dump();
      expect([webhooks.length, counts]).toEqual([limit, [expect.objectContaining({ count: limit })]]);
    });
  });

  describe("remove", () => {
    test("removes the one registration and what waits for it, counts it off, and makes no event", async () => {
      const workspace = await newWebhookWorkspace(database);
      const made = [await workspace.create(), await workspace.create({ secret: "s" })];
      const [stays, goes] = [made[0]?.id ?? "", made[1]?.id ?? ""];
      await enqueue(database, [{ targetId: stays }, { targetId: goes }]);
      expect(await workspace.writer.remove(workspace.caller, goes)).toBeNull();
      expect(await dumpTarget(database, goes)).toMatchObject({
        deliveries: [{ status: "cancelled" }],
        queue: [],
      });
      expect(await dumpTarget(database, stays)).toMatchObject({
        deliveries: [{ status: "pending" }],
        queue: [{}],
      });
      expect(await workspace.list()).toEqual({ items: [made[0]], total: 1 });
      expect(await workspace.dump()).toMatchObject({ counts: [{ count: 1 }], events: [] });
    });

    test("refuses an unknown id, another workspace's and one that is gone, and changes nothing", async () => {
      const [home, foreign] = [await newWebhookWorkspace(database), await newWebhookWorkspace(database)];
      const { id: gone } = await home.create();
      await home.writer.remove(home.caller, gone);
      await home.create();
      const { id: others } = await foreign.create();
      const before = [await home.dump(), await foreign.dump()];
      for (const id of [newId("webhook"), gone, others, "", "x".repeat(5_000)]) {
        await expect(home.writer.remove(home.caller, id)).rejects.toMatchObject(notFound);
      }
      expect([await home.dump(), await foreign.dump()]).toEqual(before);
    });

    test("of ten at once removes and counts once", async () => {
      const workspace = await newWebhookWorkspace(database);
      await workspace.create();
      const { id } = await workspace.create();
      const settled = await Promise.allSettled(
        Array.from({ length: 10 }, () => workspace.writer.remove(workspace.caller, id)),
      );
      expect(settled.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await workspace.dump()).toMatchObject({ webhooks: [{}], counts: [{ count: 1 }] });
    });
  });

  describe("rows and counts", () => {
    test.each(["create", "remove"] as const)(
      "of a %s that breaks off at any statement stay as they were",
      async (name) => {
        const workspace = await newWebhookWorkspace(database);
        const { id } = await workspace.create();
        await enqueue(database, [{ targetId: id }]);
        const stored = async () => [await workspace.dump(), await dumpTarget(database, id)];
        const before = await stored();
        let statements = 0;
        for (let isBroken = true; isBroken; ) {
          statements += 1;
          const breaking = workspace.writerOn(breakAtStatement(database, statements));
          const attempt =
            name === "create"
              ? breaking.create(workspace.caller, usual)
              : breaking.remove(workspace.caller, id);
          const outcome = await attempt.then(
            () => "done",
            (error) => error,
          );
          isBroken = outcome !== "done";
          if (!isBroken) break;
          expect(outcome).toBeInstanceOf(InjectedFault);
          expect(await stored()).toEqual(before);
        }
        // The last attempt had fewer statements than the one that was to break.
        expect(statements).toBe(name === "create" ? 5 : 8);
      },
    );

    test("agree after many that come and go at once", async () => {
      const workspace = await newWebhookWorkspace(database, { limit: 8 });
      const lane = async () => {
        for (let round = 0; round < 4; round += 1) {
          const made = await workspace.create().catch(() => undefined);
          if (made && round % 2 === 0) await workspace.writer.remove(workspace.caller, made.id);
        }
      };
      await Promise.all(Array.from({ length: 10 }, lane));
      const { webhooks, counts } = await workspace.dump();
      expect(counts).toEqual([expect.objectContaining({ count: webhooks.length })]);
      expect(webhooks.length).toBeLessThanOrEqual(8);
    });
  });
});
