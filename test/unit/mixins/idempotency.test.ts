import { beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../db/database.ts";
import type { Caller, Claim } from "../../../lib/caller.ts";
import { Cipher } from "../../../lib/cipher.ts";
import {
  type Claimed,
  type ClaimedRequest,
  claimRequest,
  releaseClaim,
  storeAnswer,
} from "../../../mixins/idempotency.ts";
import type { IdempotencyKeyRow } from "../../../mixins/idempotency-key.entity.ts";
import { admitKeys } from "../../../mixins/known-keys.ts";
import { Outbox } from "../../../mixins/outbox.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { type IssuedStatement, watchDatabase } from "../../support/watched-sql.ts";

const WORKSPACE = "ws_1";
const asked: ClaimedRequest = { requestHash: "a".repeat(64), bodyHashes: ["b".repeat(64), "c".repeat(64)] };
const CLAIM_MS = 30_000;
const ANSWER_MS = 24 * 60 * 60 * 1000;

const isClaim = (claimed: Claimed) => "claimId" in claimed;

describeOnBothDatabases("an idempotent request", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    await database.transaction(async (transaction) => {
      for (const table of ["idempotency_keys", "settings", "events"]) {
        await transaction.execute(`DELETE FROM ${table}`);
      }
    });
  });

  const rows = () => database.read.query<IdempotencyKeyRow>("SELECT * FROM idempotency_keys");
  const expire = () =>
    database.transaction((transaction) => transaction.execute("UPDATE idempotency_keys SET expires_at = 0"));

  const claim = async (request = asked, workspaceId = WORKSPACE): Promise<Claim> => {
    const claimed = await claimRequest(database, workspaceId, request);
    if (!("claimId" in claimed)) throw new Error("There is an answer already.");
    return { requestHash: request.requestHash, id: claimed.claimId, isAnswered: false };
  };

  /** An outbox's write under a claim: one row, one event and an answer. */
  const write = (held: Claim, answer: unknown, name = "row") => {
    const caller: Caller = {
      workspaceId: WORKSPACE,
      userId: "usr_1",
      keyId: "key_1",
      role: "admin",
      claim: held,
    };
    return new Outbox(database, () => {}).transaction(caller, async (transaction) => {
      await transaction.execute("INSERT INTO settings (name, value) VALUES (?, '1')", [name]);
      await transaction.emit([{ event: "record.created", data: { id: "rec_1" } }]);
      return answer;
    });
  };

  const written = async () => ({
    rows: (await database.read.query<{ name: string }>("SELECT name FROM settings")).map(({ name }) => name),
    events: (await database.read.query("SELECT id FROM events")).length,
  });

  const conflict = { errorCode: "conflict", retryAfterSeconds: 1 };

  test("is claimed once, by one statement, until half a minute later by the database's clock", async () => {
    const issued: IssuedStatement[] = [];
    const beforeMs = Date.now();
    const claimed = await claimRequest(watchDatabase(database, issued), WORKSPACE, asked);
    expect(issued).toHaveLength(1);
    const [row] = await rows();
    expect(row).toMatchObject({
      workspace_id: WORKSPACE,
      request_hash: asked.requestHash,
      body_hash: asked.bodyHashes[0],
      answer: null,
    });
    expect(claimed).toEqual({ claimId: row?.claim_id });
    expect(row?.expires_at).toBeGreaterThanOrEqual(beforeMs + CLAIM_MS - 1);
    expect(row?.expires_at).toBeLessThanOrEqual(Date.now() + CLAIM_MS);
    await expect(claim()).rejects.toMatchObject(conflict);
  });

  test("that comes many times at once is claimed by exactly one of them", async () => {
    for (const state of ["new", "expired"]) {
      const outcomes = await Promise.allSettled(
        Array.from({ length: 30 }, () => claimRequest(database, WORKSPACE, asked)),
      );
      const claims = outcomes.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
      expect({ state, claims: claims.map(isClaim) }).toEqual({ state, claims: [true] });
      for (const each of outcomes) {
        if (each.status === "rejected") expect(each.reason).toMatchObject(conflict);
      }
      await expire();
    }
  });

  test("is kept apart by workspace and by path and key", async () => {
    await claim();
    await claim({ ...asked, requestHash: "c".repeat(64) });
    await claim(asked, "ws_2");
    expect(await rows()).toHaveLength(3);
  });

  test("has the answer that its write stored, for a day", async () => {
    const held = await claim();
    const beforeMs = Date.now();
    await write(held, { id: "rec_1", fields: { b: "1", a: "2" } });
    expect(held.isAnswered).toBe(true);
    expect(await claimRequest(database, WORKSPACE, asked)).toEqual({
      answer: '{"id":"rec_1","fields":{"b":"1","a":"2"}}',
    });
    const [row] = await rows();
    expect(row?.claim_id).toBeNull();
    expect(row?.expires_at).toBeGreaterThanOrEqual(beforeMs + ANSWER_MS - 1);
    expect(row?.expires_at).toBeLessThanOrEqual(Date.now() + ANSWER_MS);
    expect(await written()).toEqual({ rows: ["row"], events: 1 });
  });

  test.each([[null], [undefined], [""], [0], [[]]])("may have the answer %p", async (answer) => {
    await write(await claim(), answer);
    expect(await claimRequest(database, WORKSPACE, asked)).toEqual({
      answer: JSON.stringify(answer ?? null),
    });
  });

  test("is refused with another body, while it runs and once it is answered", async () => {
    const other = { ...asked, bodyHashes: ["d".repeat(64)] } satisfies ClaimedRequest;
    const refusal = {
      errorCode: "unprocessable",
      details: [{ path: "Idempotency-Key", message: "was used before with another body" }],
    };
    const held = await claim();
    await expect(claim(other)).rejects.toMatchObject(refusal);
    await write(held, "answer");
    await expect(claim(other)).rejects.toMatchObject(refusal);
    await expire();
    expect(isClaim(await claimRequest(database, WORKSPACE, other))).toBe(true);
  });

  test("is known by the name that its body has under an earlier key", async () => {
    const [now, before] = asked.bodyHashes;
    await write(await claim({ ...asked, bodyHashes: [before ?? ""] }), "answer");
    expect(await claimRequest(database, WORKSPACE, asked)).toEqual({ answer: '"answer"' });
    expect(await claimRequest(database, WORKSPACE, { ...asked, bodyHashes: [before ?? "", now] })).toEqual({
      answer: '"answer"',
    });
  });

  test("that has expired is new, whatever it was", async () => {
    await write(await claim(), "first");
    await expire();
    const held = await claim();
    expect(await rows()).toMatchObject([{ claim_id: held.id, answer: null }]);
    await write(held, "second", "other row");
    expect(await claimRequest(database, WORKSPACE, asked)).toEqual({ answer: '"second"' });
  });

  test("whose write fails, and be it for its answer, keeps the claim and nothing of the write", async () => {
    const held = await claim();
    const noJson = 1n;
    await expect(write(held, noJson)).rejects.toThrow("BigInt");
    expect(held.isAnswered).toBe(false);
    expect(await rows()).toMatchObject([{ claim_id: held.id, answer: null }]);
    expect(await written()).toEqual({ rows: [], events: 0 });
  });

  describe("whose claim was lost", () => {
    const ways: [string, () => Promise<unknown>][] = [
      ["to another, after it expired", () => expire().then(() => claim())],
      [
        "to another who has answered since",
        async () => {
          await expire();
          await write(await claim(), "theirs", "their row");
        },
      ],
      [
        "for it expired and was swept",
        () => database.transaction((transaction) => transaction.execute("DELETE FROM idempotency_keys")),
      ],
    ];

    test.each(ways)("%s: the write is taken back, its event too", async (_, lose) => {
      const held = await claim();
      await lose();
      const before = await written();
      const kept = await rows();
      await expect(write(held, "mine", "my row")).rejects.toMatchObject(conflict);
      expect(held.isAnswered).toBe(false);
      expect(await written()).toEqual(before);
      expect(await rows()).toEqual(kept);
    });

    test.each(ways)("%s: its release leaves alone what is there", async (_, lose) => {
      const held = await claim();
      await lose();
      const kept = await rows();
      await releaseClaim(database, WORKSPACE, held);
      expect(await rows()).toEqual(kept);
    });
  });

  test("that is released is new; once it is answered a release changes nothing", async () => {
    await releaseClaim(database, WORKSPACE, await claim());
    expect(await rows()).toEqual([]);
    const held = await claim();
    await write(held, "answer");
    await releaseClaim(database, WORKSPACE, held);
    expect(await claimRequest(database, WORKSPACE, asked)).toEqual({ answer: '"answer"' });
  });

  test("that expired but was claimed by nobody since is answered all the same", async () => {
    const held = await claim();
    await expire();
    await write(held, "late");
    expect(await claimRequest(database, WORKSPACE, asked)).toEqual({ answer: '"late"' });
  });

  test("is released or written, never both, where the two meet", async () => {
    for (let round = 0; round < 20; round += 1) {
      const name = `row ${round}`;
      const request = { ...asked, requestHash: String(round).padStart(64, "0") };
      const held = await claim(request);
      const [outcome] = await Promise.allSettled([
        write(held, "answer", name),
        releaseClaim(database, WORKSPACE, held),
      ]);
      const isWritten = (await written()).rows.includes(name);
      expect(isWritten).toBe(outcome.status === "fulfilled");
      const again = await claimRequest(database, WORKSPACE, request);
      expect(again).toEqual(isWritten ? { answer: '"answer"' } : { claimId: expect.any(String) });
    }
  });

  test("stores what an answer was sealed into", async () => {
    const cipher = new Cipher(Buffer.alloc(32, "test key"));
    await admitKeys(database, cipher);
    const held = { ...(await claim()), vault: { cipher, place: "here" } };
    await database.transaction((transaction) => storeAnswer(transaction, WORKSPACE, held, "secret"));
    const [row] = await rows();
    expect(cipher.open(row?.answer ?? "", "here")).toBe('"secret"');
  });

  test("is not written where its answer must be sealed and the key seals no more", async () => {
    await admitKeys(database, new Cipher(Buffer.alloc(32, "next")));
    const held = {
      ...(await claim()),
      vault: { cipher: new Cipher(Buffer.alloc(32, "gone")), place: "here" },
    };
    await expect(write(held, "secret")).rejects.toMatchObject({ errorCode: "unavailable" });
    expect(await rows()).toMatchObject([{ claim_id: held.id, answer: null }]);
    expect((await written()).rows).not.toContain("row");
  });
});
