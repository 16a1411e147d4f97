import { afterEach, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Database } from "../../../db/database.ts";
import { insertRows } from "../../../db/insert-rows.ts";
import { IdempotencySweeper } from "../../../mixins/idempotency-sweeper.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { growingSteps } from "../../support/query-plan.ts";
import { waitFor } from "../../support/wait-for.ts";
import { type IssuedStatement, watchDatabase } from "../../support/watched-sql.ts";

const OFTEN_MS = 1;
const PAST = 1;

describeOnBothDatabases("the sweeper of idempotency keys", (open) => {
  let database: Database;
  let sweeper: IdempotencySweeper | undefined;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    await database.transaction((transaction) => transaction.execute("DELETE FROM idempotency_keys"));
  });

  afterEach(async () => {
    await sweeper?.stop();
  });

  /** Rows with an answer, or with a claim. */
  const put = (name: string, count: number, expiresAt: number, answer: string | null = "{}") =>
    database.transaction((transaction) => {
      const columns = ["workspace_id", "request_hash", "body_hash", "claim_id", "expires_at", "answer"];
      const claim = answer === null ? "claim" : null;
      const rows = Array.from({ length: count }, (_, at) => [
        "ws_1",
        `${name} ${at}`,
        "hash",
        claim,
        expiresAt,
        answer,
      ]);
      return insertRows(transaction, "idempotency_keys", columns, rows);
    });

  const left = async () =>
    (
      await database.read.query<{ name: string }>(
        "SELECT request_hash AS name FROM idempotency_keys ORDER BY request_hash",
      )
    ).map(({ name }) => name);

  const fail = (error: unknown) => {
    throw error;
  };
  const start = (watched = database, onError: (error: unknown) => void = fail) => {
    sweeper = new IdempotencySweeper(watched, onError, OFTEN_MS);
    sweeper.start();
  };

  test("removes answers and claims that have expired, and nothing else", async () => {
    const soon = Date.now() + 20_000;
    await put("old answer", 3, PAST);
    await put("old claim", 2, PAST, null);
    await put("answer", 2, soon);
    await put("claim", 1, soon, null);
    start();
    await waitFor(async () => (await left()).length <= 3, { what: "the sweep" });
    expect(await left()).toEqual(["answer 0", "answer 1", "claim 0"]);
  });

  test("removes many in batches, the oldest first, each in a transaction of its own", async () => {
    await put("newer", 120, PAST + 1);
    await put("older", 10, PAST);
    const sizes: number[] = [];
    const counting: Database = {
      ...database,
      transaction: async (work) => {
        const before = (await left()).length;
        const result = await database.transaction(work);
        sizes.push(before - (await left()).length);
        if (sizes.length === 1) expect((await left()).filter((name) => name.startsWith("older"))).toEqual([]);
        return result;
      },
    };
    start(counting);
    await waitFor(async () => (await left()).length === 0, { what: "all to be gone" });
    await sweeper?.stop();
    expect(sizes).toEqual([50, 50, 30]);
  });

  test("reads no answer, and asks once where nothing has expired", async () => {
    await put("large", 2, PAST, JSON.stringify("x".repeat(4 * 1024 ** 2)));
    const issued: IssuedStatement[] = [];
    start(watchDatabase(database, issued));
    await waitFor(async () => (await left()).length === 0, { what: "the sweep" });
    await sweeper?.stop();
    expect(issued.filter(({ statement }) => /answer|SELECT \*/.test(statement))).toEqual([]);
    const [first, ...deletions] = issued;
    expect(first).toMatchObject({ rows: 2 });
    expect(first && (await growingSteps(database.read, first))).toEqual([]);
    expect(deletions.slice(0, 2)).toMatchObject([{ rows: 1 }, { rows: 1 }]);
    for (const { statement, rows } of deletions.slice(2)) {
      expect(statement).toMatch(/^SELECT/);
      expect(rows).toBe(0);
    }
  });

  test("leaves alone what is claimed anew between its look and its deletion", async () => {
    await put("taken", 1, PAST);
    const looked = Promise.withResolvers<void>();
    const racing: Database = {
      ...database,
      transaction: async (work) => {
        await database.transaction((transaction) =>
          transaction.execute("UPDATE idempotency_keys SET expires_at = ?", [Date.now() + 20_000]),
        );
        const result = await database.transaction(work);
        looked.resolve();
        return result;
      },
    };
    start(racing);
    await looked.promise;
    expect(await left()).toEqual(["taken 0"]);
  });

  test("tells of a failure, and tries again", async () => {
    await put("old", 1, PAST);
    const errors: unknown[] = [];
    const error = new Error("the database is away");
    const flaky: Database = {
      ...database,
      transaction: (work) => (errors.length < 2 ? Promise.reject(error) : database.transaction(work)),
    };
    start(flaky, (each) => errors.push(each));
    await waitFor(async () => (await left()).length === 0, { what: "the third try" });
    expect(errors).toEqual([error, error]);
  });

  test("has finished when its stop resolves, and does nothing afterwards", async () => {
    await put("old", 130, PAST);
    const begun = Promise.withResolvers<void>();
    const release = Promise.withResolvers<void>();
    const held: Database = {
      ...database,
      transaction: async (work) => {
        begun.resolve();
        await release.promise;
        return await database.transaction(work);
      },
    };
    start(held);
    await begun.promise;
    const stopped = sweeper?.stop();
    release.resolve();
    await stopped;
    const after = await left();
    expect(after).toHaveLength(80);
    sweeper?.start();
    await sweeper?.stop();
    expect(await left()).toEqual(after);
  });
});
