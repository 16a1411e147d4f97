import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Context, Service, ServiceBroker } from "moleculer";
import type { Database } from "../../../db/database.ts";
import type { Caller } from "../../../lib/caller.ts";
import { notFound, unavailable } from "../../../lib/errors.ts";
import { parseOrdered, stringifyOrdered } from "../../../lib/ordered-json.ts";
import { actionOf, type CallMeta, callerOf, type ParamsSchema } from "../../../mixins/action.ts";
import { databaseMiddleware, databaseOf } from "../../../mixins/database.middleware.ts";
import { idempotencyMiddleware } from "../../../mixins/idempotency.middleware.ts";
import type { IdempotencyKeyRow } from "../../../mixins/idempotency-key.entity.ts";
import { Outbox } from "../../../mixins/outbox.ts";
import { secretsMiddleware } from "../../../mixins/secrets.middleware.ts";
import { validationMiddleware } from "../../../mixins/validation.middleware.ts";
import { describeOnBothDatabases, everythingIn } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import { quietBroker } from "./support/quiet-broker.ts";

const caller: Caller = { workspaceId: "ws_1", userId: "usr_1", keyId: "key_1", role: "admin" };
/** The value of the rows that the actions write. */
const MADE = "made";
const secrets = {
  secretKey: Buffer.alloc(32, "test key"),
  secretKeyFile: undefined,
  secretKeyPrevious: undefined,
};
const idempotency = { requestHash: "a".repeat(64), bodyHash: "b".repeat(64) };
const repeated: CallMeta = { caller, idempotency };

interface Params {
  /** Written as a row of its own. */
  readonly name: string;
}

const schema = {
  type: "object",
  additionalProperties: false,
  required: ["name"],
  properties: { name: { type: "string", minLength: 1 } },
} as const satisfies ParamsSchema;

const action = actionOf<Service>();

/** What the answer of a made thing looks like: its number tells which run gave it. */
type Thing = Readonly<Record<string, unknown>>;

describeOnBothDatabases("an action that is called with an idempotency key", (_open, freshStorage) => {
  let broker: ServiceBroker;
  let database: Database;
  let outbox: Outbox;
  /** How often the action ran. */
  let runs: number;
  /** What the action does before it writes, and after. */
  let before: () => Promise<void>;
  let after: () => Promise<void>;

  const write = (actor: Caller, name: string, answer: Thing) =>
    outbox.transaction(actor, async (transaction) => {
      await transaction.execute("INSERT INTO settings (name, value) VALUES (?, ?)", [name, MADE]);
      await transaction.emit([{ event: "record.created", data: { id: name } }]);
      return answer;
    });

  const thing = () => {
    runs += 1;
    return { run: runs, ...parseOrdered<Thing>('{"z":1,"10":2,"__proto__":3,"a":null}') };
  };

  beforeAll(async () => {
    const storage = await freshStorage();
    broker = quietBroker(
      databaseMiddleware(storage),
      secretsMiddleware({ storage, secrets }),
      idempotencyMiddleware(),
      validationMiddleware(),
    );
    broker.createService({
      name: "things",
      actions: {
        make: action<Params>({
          permission: "writeRecords",
          schema,
          async handler(ctx) {
            const answer = thing();
            await before();
            const result = await write(callerOf(ctx), ctx.params.name, answer);
            await after();
            return result;
          },
        }),
        /** Makes one by way of the other action, and writes nothing itself. */
        order: action<Params>({
          permission: "writeRecords",
          schema,
          async handler(ctx) {
            return { ordered: await ctx.call<Thing, Params>("things.make", ctx.params) };
          },
        }),
        ping: action<Params>({
          permission: "read",
          schema,
          async handler() {
            const answer = thing();
            await before();
            return answer;
          },
        }),
        unlock: action<Params>({
          permission: "writeRecords",
          schema,
          answerIsSecret: true,
          async handler(ctx) {
            const answer = { ...thing(), secret: "open sesame" };
            return await write(callerOf(ctx), ctx.params.name, answer);
          },
        }),
      },
    });
    await broker.start();
    database = databaseOf(broker);
  });

  beforeEach(async () => {
    runs = 0;
    outbox = new Outbox(database, () => {});
    before = async () => {};
    after = async () => {};
    await database.transaction(async (transaction) => {
      for (const table of ["idempotency_keys", "events"]) await transaction.execute(`DELETE FROM ${table}`);
      await transaction.execute("DELETE FROM settings WHERE value = ?", [MADE]);
    });
  });

  afterAll(async () => {
    await broker.stop();
  });

  const call = (name: string, meta: CallMeta = repeated, params: object = { name: "thing" }) =>
    broker.call<Thing, object>(`things.${name}`, params, { meta: { ...meta } });

  const keys = () => database.read.query<IdempotencyKeyRow>("SELECT * FROM idempotency_keys");
  const written = async () => ({
    rows: (await database.read.query("SELECT name FROM settings WHERE value = ?", [MADE])).length,
    events: (await database.read.query("SELECT id FROM events")).length,
  });

  test.each(["make", "order", "ping", "unlock"])("runs once: %s", async (name) => {
    const first = await call(name);
    const repeats = [await call(name), await call(name)];
    expect(repeats.map((repeat) => stringifyOrdered(repeat))).toEqual(Array(2).fill(stringifyOrdered(first)));
    expect(runs).toBe(1);
    const once = name === "ping" ? 0 : 1;
    expect(await written()).toEqual({ rows: once, events: once });
    expect(await keys()).toMatchObject([{ workspace_id: "ws_1", claim_id: null }]);
  });

  test.each<[string, CallMeta]>([
    ["a key", { caller }],
    ["a caller", { idempotency }],
  ])("runs as ever without %s, and stores nothing", async (_, meta) => {
    await call("ping", meta);
    await call("ping", meta);
    expect(runs).toBe(2);
    expect(await keys()).toEqual([]);
  });

  test("is not claimed where its params are refused", async () => {
    await expect(call("make", repeated, { name: "" })).rejects.toMatchObject({ code: 400 });
    expect([runs, await keys()]).toEqual([0, []]);
  });

  test.each<[string, () => Error]>([
    ["refuses", () => notFound("thing")],
    ["finds no database", () => unavailable(new Error("gone"))],
    ["has a defect", () => new Error("defect")],
  ])("leaves nothing behind where it %s: the next one runs", async (_, fail) => {
    const error = fail();
    before = () => Promise.reject(error);
    await expect(call("make")).rejects.toThrow(error.message);
    expect([await keys(), await written()]).toEqual([[], { rows: 0, events: 0 }]);
    before = async () => {};
    expect(await call("make")).toMatchObject({ run: 2 });
  });

  test("gives the answer to repeats where it failed after its write", async () => {
    after = () => Promise.reject(unavailable(new Error("late")));
    await expect(call("make")).rejects.toMatchObject({ type: "unavailable" });
    expect(await call("make")).toMatchObject({ run: 1 });
    expect(await written()).toEqual({ rows: 1, events: 1 });
  });

  test("gives the answer to repeats where nobody knows whether its write was committed, and it was", async () => {
    const doubtful: Database = {
      ...database,
      transaction: async (work) => {
        await database.transaction(work);
        throw unavailable(new Error("The connection was lost in the middle of the commit."));
      },
    };
    outbox = new Outbox(doubtful, () => {});
    await expect(call("make")).rejects.toMatchObject({ type: "unavailable" });
    expect(await call("make")).toMatchObject({ run: 1 });
    expect(await written()).toEqual({ rows: 1, events: 1 });
  });

  test.each(["make", "ping"])(
    "is a conflict while it runs, and has its answer afterwards: %s",
    async (name) => {
      const held = Promise.withResolvers<void>();
      before = () => held.promise;
      const first = call(name);
      await waitFor(() => runs === 1, { what: "the first one to run" });
      await expect(call(name)).rejects.toMatchObject({ type: "conflict", retryAfterSeconds: 1 });
      held.resolve();
      expect(await call(name).catch(() => first)).toEqual(await first);
      expect(runs).toBe(1);
    },
  );

  test("goes on when its caller is not waited for any more: repeats conflict, and get its answer", async () => {
    const held = Promise.withResolvers<void>();
    before = () => held.promise;
    const impatient = broker.call("things.make", { name: "thing" }, { meta: { ...repeated }, timeout: 30 });
    await expect(impatient).rejects.toMatchObject({ type: "REQUEST_TIMEOUT" });
    await expect(call("make")).rejects.toMatchObject({ type: "conflict" });
    held.resolve();
    const answer = await waitFor(() => call("make"), { what: "the answer of the first one" });
    expect(answer).toMatchObject({ run: 1 });
    expect(await written()).toEqual({ rows: 1, events: 1 });
  });

  test("writes nothing where its claim expired and a repeat was quicker", async () => {
    const held = Promise.withResolvers<void>();
    before = () => held.promise;
    const slow = call("make", repeated, { name: "slow" });
    await waitFor(() => runs === 1, { what: "the first one to run" });
    await database.transaction((transaction) =>
      transaction.execute("UPDATE idempotency_keys SET expires_at = 0"),
    );
    before = async () => {};
    const quick = await call("make", repeated, { name: "quick" });
    held.resolve();
    await expect(slow).rejects.toMatchObject({ type: "conflict" });
    expect(await written()).toEqual({ rows: 1, events: 1 });
    expect(await call("make")).toEqual(quick);
  });

  test("stores an answer that holds a secret where only the secret key opens it", async () => {
    const first = await call("unlock");
    expect(first.secret).toBe("open sesame");
    const all = await everythingIn(database);
    expect(all).not.toContain("sesame");
    expect(await call("unlock")).toEqual(first);
  });

  test("opens a sealed answer for the request that it answers only", async () => {
    await call("unlock");
    const other = { ...idempotency, requestHash: "c".repeat(64) };
    await database.transaction((transaction) =>
      transaction.execute("UPDATE idempotency_keys SET request_hash = ?", [other.requestHash]),
    );
    await expect(call("unlock", { caller, idempotency: other })).rejects.toMatchObject({
      type: "conflict",
      message: expect.stringContaining("took effect"),
      cause: expect.objectContaining({ message: expect.stringContaining("belongs elsewhere") }),
    });
    expect(runs).toBe(1);
  });

  test("keeps the key to itself: calls that it makes are answered each for itself", async () => {
    const seen: unknown[] = [];
    broker.createService({
      name: "watcher",
      actions: {
        watch(ctx: Context<unknown, CallMeta>) {
          seen.push({ meta: ctx.meta, locals: ctx.locals });
          return { watched: seen.length };
        },
        twice: action<unknown>({
          permission: "read",
          schema: { type: "object" },
          handler: async (ctx) => [await ctx.call("watcher.watch"), await ctx.call("watcher.watch")],
        }),
      },
    });
    await broker.waitForServices("watcher");
    const answer = await broker.call("watcher.twice", {}, { meta: { ...repeated } });
    expect(answer).toEqual([{ watched: 1 }, { watched: 2 }]);
    expect(seen).toEqual(Array(2).fill({ meta: { caller }, locals: {} }));
  });
});
