import { afterAll, beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../db/database.ts";
import { databaseOf } from "../../../mixins/database.middleware.ts";
import type { IdempotencyKeyRow } from "../../../mixins/idempotency-key.entity.ts";
import { type App, startApp } from "../../support/app.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { type HttpAnswer, request } from "../../support/http.ts";

const DAY_MS = 24 * 60 * 60 * 1000;
const CREATE = "/v1/data";
const BULK = "/v1/data/bulk-create";

let made = 0;
/** A key and a word that no other test has. */
const fresh = () => {
  made += 1;
  return { key: `key-${made}`, word: `marker${made}x` };
};

/** Members in an order, and with keys, that JavaScript would not keep. */
const delicate = (word: string) =>
  `{"type":"task","fields":{"z":"1","10":"2","__proto__":"3","a":"\\u00e9 \\ud83d\\ude00","2":""},"name":" ${word} ","tags":["b","a"]}`;

describeOnBothDatabases("a POST with an Idempotency-Key", (_open, freshStorage) => {
  let app: App;
  let database: Database;

  beforeAll(async () => {
    const { dataDir, databaseUrl } = await freshStorage();
    app = await startApp({
      env: databaseUrl === undefined ? { DATA_DIR: dataDir } : { DATABASE_URL: databaseUrl },
    });
    database = databaseOf(app.broker);
  });

  afterAll(async () => {
    await app?.stop();
  });

  const post = (path: string, key: string, body: object | string, apiKey = app.key) =>
    request<{ id: string }>(app, "POST", path, {
      body,
      key: apiKey,
      headers: { "Idempotency-Key": key, "Content-Type": "application/json" },
    });

  const stored = () => database.read.query<IdempotencyKeyRow>("SELECT * FROM idempotency_keys");
  const change = (set: string) =>
    database.transaction((transaction) => transaction.execute(`UPDATE idempotency_keys SET ${set}`));

  /** How many records and events have a word in them. */
  const counted = async (word: string) => {
    const count = async (table: string, column: string) => {
      const rows = await database.read.query(`SELECT id FROM ${table} WHERE ${column} LIKE ?`, [`%${word}%`]);
      return rows.length;
    };
    return { records: await count("records", "name"), events: await count("events", "payload") };
  };

  const expectSame = (repeat: HttpAnswer, first: HttpAnswer) => {
    const seen = ({ status, text, headers }: HttpAnswer) => ({
      status,
      text,
      location: headers.location,
      type: headers["content-type"],
    });
    expect(seen(repeat)).toEqual(seen(first));
  };

  test.each([
    ["one record", CREATE, delicate, 1],
    ["many records", BULK, (word: string) => `{"records":[${Array(7).fill(delicate(word)).join(",")}]}`, 7],
    [
      "so many that they are written beside the process",
      BULK,
      (word: string) => ({
        records: Array.from({ length: 200 }, (_, at) => ({ name: `${word} ${at} of many`, type: "note" })),
      }),
      200,
    ],
  ])(
    "that creates %s is answered each time as the first time, and takes effect once",
    async (_, path, bodyOf, count) => {
      const { key, word } = fresh();
      const first = await post(path, key, bodyOf(word));
      expect(first.status).toBe(201);
      const beforeRepeats = await database.read.query("SELECT id FROM events");
      for (let repeat = 0; repeat < 3; repeat += 1) expectSame(await post(path, key, bodyOf(word)), first);
      expect(await counted(word)).toEqual({ records: count, events: count });
      expect(await database.read.query("SELECT id FROM events")).toEqual(beforeRepeats);
      if (path === CREATE) expect(first.headers.location).toBe(`/v1/data/${first.body.data.id}`);
    },
  );

  test("that comes ten times at once takes effect once; who is not answered is told to come again", async () => {
    const { key, word } = fresh();
    const answers = await Promise.all(Array.from({ length: 10 }, () => post(CREATE, key, delicate(word))));
    const [first] = answers.filter(({ status }) => status === 201);
    if (!first) throw new Error("None was answered.");
    for (const answer of answers) {
      if (answer.status === 201) expectSame(answer, first);
      else expectRefusal(answer, 409, "conflict");
    }
    expectSame(await post(CREATE, key, delicate(word)), first);
    expect(await counted(word)).toEqual({ records: 1, events: 1 });
  });

  test("is refused where the key came with another body, and leaves the first answer alone", async () => {
    const { key, word } = fresh();
    const first = await post(CREATE, key, { name: word, type: "note" });
    for (const body of [{ name: word, type: "task" }, `{"name": "${word}","type":"note"}`]) {
      const refused = await post(CREATE, key, body);
      expectRefusal(refused, 422, "unprocessable");
      expect(refused.body.error.details).toEqual([
        { path: "Idempotency-Key", message: "was used before with another body" },
      ]);
    }
    // A body that is refused by itself is told that: it never gets as far as the key.
    expectRefusal(await post(CREATE, key, { name: 1, type: "note" }), 400, "invalid_request");
    expectSame(await post(CREATE, key, { name: word, type: "note" }), first);
    expect(await counted(word)).toEqual({ records: 1, events: 1 });
  });

  test("is another request on another path, in another workspace and in another spelling", async () => {
    const { key, word } = fresh();
    const other = await app.broker.call<{ key: { key: string } }, object>("workspaces.create", {
      name: "Other",
      email: "other@example.com",
    });
    const body = { name: word, type: "note" };
    const send = [
      () => post(CREATE, key, body),
      () => post(CREATE, key.toUpperCase(), body),
      () => post(BULK, key, { records: [body] }),
      () => post(CREATE, key, body, other.key.key),
    ];
    for (const once of send) {
      const first = await once();
      expect(first.status).toBe(201);
      expectSame(await once(), first);
    }
    expect(await counted(word)).toEqual({ records: 4, events: 4 });
  });

  test.each([
    ["body that is no JSON", "{", 400, "invalid_json"],
    ["member of the wrong type", { name: 1, type: "note" }, 400, "invalid_request"],
    ["blank name", { name: " ", type: "note" }, 422, "unprocessable"],
    [
      "record over its size",
      {
        name: "A",
        type: "note",
        fields: Object.fromEntries(Array.from({ length: 7 }, (_, at) => [at, "x".repeat(9_900)])),
      },
      400,
      "invalid_request",
    ],
  ])(
    "that is refused for a %s stores nothing: the same key serves the mended body",
    async (_, bad, status, code) => {
      const { key, word } = fresh();
      const before = (await stored()).length;
      expectRefusal(await post(CREATE, key, bad), status, code);
      expect(await stored()).toHaveLength(before);
      expect((await post(CREATE, key, { name: word, type: "note" })).status).toBe(201);
      expect(await counted(word)).toEqual({ records: 1, events: 1 });
    },
  );

  test.each<[string, string | string[]]>([
    ["empty", ""],
    ["of 256 characters", "k".repeat(256)],
    ["with a space", "a key"],
    ["with a tab", "a\tkey"],
    ["with a letter beyond ASCII", "clé"],
    ["sent twice", ["one", "other"]],
    ["sent twice alike", ["one", "one"]],
  ])("whose key is %s is refused", async (_, key) => {
    const { word } = fresh();
    const answer = await request(app, "POST", CREATE, {
      body: { name: word, type: "note" },
      headers: { "Idempotency-Key": key },
    });
    expectRefusal(answer, 400, "invalid_request");
    expect(answer.body.error.details).toEqual([
      {
        path: "Idempotency-Key",
        message: "must be 1 to 255 visible ASCII characters, and be sent once",
      },
    ]);
    expect(await counted(word)).toEqual({ records: 0, events: 0 });
  });

  test.each([["!"], ['"quoted,~"'], ["k".repeat(255)]])("may have the key %s", async (key) => {
    const { word } = fresh();
    const first = await post(CREATE, key, { name: word, type: "note" });
    expect(first.status).toBe(201);
    expectSame(await post(CREATE, key, { name: word, type: "note" }), first);
  });

  test("is judged by its key after its size and content type", async () => {
    const headers = { "Idempotency-Key": "a key", "Content-Type": "text/plain" };
    const answer = await request(app, "POST", CREATE, { body: "text", headers });
    expectRefusal(answer, 415, "unsupported_media_type");
  });

  test("is the only one to which the header says anything", async () => {
    const { key, word } = fresh();
    const { body } = await post(CREATE, key, { name: word, type: "note" });
    const before = await stored();
    const path = `${CREATE}/${body.data.id}`;
    const withKey = (method: string, sent?: object) =>
      request(app, method, path, { body: sent, headers: { "Idempotency-Key": "not one that POST takes" } });
    expect((await withKey("GET")).status).toBe(200);
    expect((await withKey("PATCH", { status: "draft" })).status).toBe(200);
    expect((await withKey("PATCH", { status: "archived" })).status).toBe(200);
    expect((await withKey("DELETE")).status).toBe(204);
    expect((await withKey("DELETE")).status).toBe(404);
    expect(await stored()).toEqual(before);
  });

  test("is answered for 24 hours, and then is a new request", async () => {
    const { key, word } = fresh();
    await change("expires_at = 0");
    const beforeMs = Date.now();
    const first = await post(CREATE, key, { name: word, type: "note" });
    const [row] = (await stored()).filter(({ expires_at }) => expires_at > 0);
    expect(row).toMatchObject({ workspace_id: app.workspaceId, claim_id: null });
    expect(row?.expires_at).toBeGreaterThanOrEqual(beforeMs + DAY_MS - 1);
    expect(row?.expires_at).toBeLessThanOrEqual(Date.now() + DAY_MS);

    await change("expires_at = 0");
    // Another body too: nothing is known any more of the one that came before.
    const later = await post(CREATE, key, { name: `${word} later`, type: "note" });
    expect(later.status).toBe(201);
    expect(later.body.data.id).not.toBe(first.body.data.id);
    expectSame(await post(CREATE, key, { name: `${word} later`, type: "note" }), later);
    expect(await counted(word)).toEqual({ records: 2, events: 2 });
  });

  test("whose first try a crash cut off waits until the claim has expired", async () => {
    const { key, word } = fresh();
    const body = { name: word, type: "note" };
    await post(CREATE, key, body);
    // What a crash between claim and write leaves behind, before and after its time.
    await change(`claim_id = 'gone', answer = NULL, expires_at = ${Date.now() + 60_000}`);
    const refused = await post(CREATE, key, body);
    expectRefusal(refused, 409, "conflict");
    expect(refused.headers["retry-after"]).toBe("1");
    await change("expires_at = 0");
    const second = await post(CREATE, key, body);
    expect(second.status).toBe(201);
    expectSame(await post(CREATE, key, body), second);
    expect(await counted(word)).toEqual({ records: 2, events: 2 });
  });

  test("keeps nothing of the key itself, nor of the body", async () => {
    const { word } = fresh();
    await post(CREATE, `secret-${word}`, { name: word, type: "note" });
    const kept = (await stored()).map(({ answer, ...rest }) => rest);
    expect(JSON.stringify(kept)).not.toContain("secret-");
    expect(kept.every(({ request_hash }) => /^[0-9a-f]{64}$/.test(request_hash))).toBe(true);
  });
});
