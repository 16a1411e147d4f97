import { beforeAll, describe, expect, test } from "@jest/globals";
import { type Database, type Sql, type Transaction, UniqueViolation } from "../../../db/database.ts";
import { dialectSql } from "../../../db/dialect.ts";
import { openDatabase } from "../../../db/open-database.ts";
import { ServiceError } from "../../../lib/errors.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";
import { arrivals, everythingElse } from "./support/arrivals.ts";

const put =
  (name: string, value = "1") =>
  (transaction: Transaction) =>
    transaction.execute("INSERT INTO settings (name, value) VALUES (?, ?)", [name, value]);

async function readValue(sql: Sql, name: string): Promise<string | undefined> {
  const [row] = await sql.query<{ value: string }>("SELECT value FROM settings WHERE name = ?", [name]);
  return row?.value;
}

async function namesFrom(sql: Sql, prefix: string): Promise<string[]> {
  const rows = await sql.query<{ name: string }>("SELECT name FROM settings ORDER BY name");
  return rows.map(({ name }) => name).filter((name) => name.startsWith(prefix));
}

describeOnBothDatabases("a transaction", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  test("gives what its work gives, once it can be read", async () => {
    const result = await database.transaction(async (transaction) => {
      await put("given")(transaction);
      return { some: "result" };
    });
    expect(result).toEqual({ some: "result" });
    expect(await readValue(database.read, "given")).toBe("1");
  });

  test("sees its own rows, and nobody else does before it ends", async () => {
    const pause = Promise.withResolvers<void>();
    const written = Promise.withResolvers<string | undefined>();
    const asked = database.transaction(async (transaction) => {
      await put("unseen")(transaction);
      written.resolve(await readValue(transaction, "unseen"));
      await pause.promise;
    });
    expect(await written.promise).toBe("1");
    expect(await readValue(database.read, "unseen")).toBeUndefined();
    pause.resolve();
    await asked;
    expect(await readValue(database.read, "unseen")).toBe("1");
  });

  test("that fails leaves nothing, and fails with its own error", async () => {
    const error = new Error("mine");
    const asked = database.transaction(async (transaction) => {
      await put("failed")(transaction);
      await transaction.execute("UPDATE settings SET value = 'changed'");
      throw error;
    });
    await expect(asked).rejects.toBe(error);
    expect(await readValue(database.read, "failed")).toBeUndefined();
    expect(await readValue(database.read, "given")).toBe("1");
  });

  test("passes on an error that is meant for a client as it is", async () => {
    const error = new ServiceError("conflict", "Why.");
    await expect(database.transaction(() => Promise.reject(error))).rejects.toBe(error);
  });

  test("neither sees, rolls back nor commits what is another's", async () => {
    const { promise: paused, resolve: goOn } = Promise.withResolvers<void>();
    const started = Promise.withResolvers<void>();
    const failing = database.transaction(async (transaction) => {
      await put("pair-failing")(transaction);
      started.resolve();
      await paused;
      throw new Error("mine");
    });
    await started.promise;
    const other = database.transaction(async (transaction) => {
      await put("pair-other")(transaction);
      return await namesFrom(transaction, "pair-");
    });
    const told = arrivals([failing, other]);
    await everythingElse();
    expect(await namesFrom(database.read, "pair-failing")).toEqual([]);
    goOn();
    await Promise.allSettled([failing, other]);
    expect(told).toContainEqual(["pair-other"]);
    expect(await namesFrom(database.read, "pair-")).toEqual(["pair-other"]);
  });

  test("of two hundred at once, half of which fail, leaves exactly the others'", async () => {
    const numbers = Array.from({ length: 200 }, (_, n) => n);
    const name = (n: number) => `many-${String(n).padStart(3, "0")}`;
    const settled = await Promise.allSettled(
      numbers.map((n) =>
        database.transaction(async (transaction) => {
          await put(name(n))(transaction);
          if (n % 2 === 1) throw new Error("mine");
          await put(`${name(n)}-too`)(transaction);
        }),
      ),
    );
    expect(settled.map(({ status }) => status === "fulfilled")).toEqual(numbers.map((n) => n % 2 === 0));
    expect(await namesFrom(database.read, "many-")).toEqual(
      numbers.filter((n) => n % 2 === 0).flatMap((n) => [name(n), `${name(n)}-too`]),
    );
  });

  test("that reads for update loses no other's change", async () => {
    await database.transaction(put("counter", "0"));
    const { forUpdate } = dialectSql[database.dialect];
    const increment = (transaction: Transaction) =>
      transaction
        .query<{ value: string }>(`SELECT value FROM settings WHERE name = 'counter' ${forUpdate}`)
        .then(([row]) =>
          transaction.execute("UPDATE settings SET value = ? WHERE name = 'counter'", [
            String(Number(row?.value) + 1),
          ]),
        );
    await Promise.all(Array.from({ length: 40 }, () => database.transaction(increment)));
    expect(await readValue(database.read, "counter")).toBe("40");
  });

  test("may be large", async () => {
    await database.transaction(async (transaction) => {
      transaction.expectChanges(1_000_000);
      await put("large")(transaction);
    });
    expect(await readValue(database.read, "large")).toBe("1");
  });

  test("that is over takes no more statements", async () => {
    const over = await database.transaction(async (transaction) => transaction);
    await expect(over.execute("DELETE FROM settings")).rejects.toThrow();
    await expect(over.query("SELECT 1")).rejects.toThrow();
    expect(await readValue(database.read, "given")).toBe("1");
  });

  test("tells how many rows a statement touched, changed or not", async () => {
    const touched = await database.transaction(async (transaction) => [
      await transaction.execute(
        "INSERT INTO settings (name, value) VALUES ('t1', 'a'), ('t2', 'b'), ('t3', 'a')",
      ),
      await transaction.execute("UPDATE settings SET value = 'a' WHERE name IN ('t1', 't2', 't3')"),
      await transaction.execute("UPDATE settings SET value = 'a' WHERE name = 'none'"),
      await transaction.execute("DELETE FROM settings WHERE name IN ('t1', 't3', 'none')"),
    ]);
    expect(touched).toEqual([3, 3, 0, 2]);
  });
});

describeOnBothDatabases("a broken rule", (open) => {
  let database: Database;

  const addWorkspace = (id: string) =>
    database.transaction((transaction) =>
      transaction.execute("INSERT INTO workspaces (id, name, created_at) VALUES (?, 'W', 1)", [id]),
    );
  const addUser = (id: string, workspaceId: string, email: string) =>
    database.transaction((transaction) =>
      transaction.execute(
        `INSERT INTO users (id, workspace_id, email, email_key, name, role, status, created_at, updated_at)
         VALUES (?, ?, ?, ?, 'U', 'admin', 'active', 1, 1)`,
        [id, workspaceId, email, email],
      ),
    );

  beforeAll(async () => {
    database = await open();
    await addWorkspace("ws_1");
    await addUser("usr_1", "ws_1", "a@example.com");
  });

  test("of a unique index or a primary key is a unique violation", async () => {
    await expect(addUser("usr_2", "ws_1", "a@example.com")).rejects.toThrow(UniqueViolation);
    await expect(addUser("usr_1", "ws_1", "b@example.com")).rejects.toThrow(UniqueViolation);
    await expect(addWorkspace("ws_1")).rejects.toThrow(UniqueViolation);
  });

  test("takes the statements before it along", async () => {
    const asked = database.transaction(async (transaction) => {
      await put("before")(transaction);
      await put("twice")(transaction);
      await put("twice")(transaction);
    });
    await expect(asked).rejects.toThrow(UniqueViolation);
    expect(await namesFrom(database.read, "")).toEqual([]);
  });

  test("of a reference is an error, and none that asks to try again", async () => {
    const error = await addUser("usr_3", "ws_none", "c@example.com").catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(Error);
    expect(error).not.toBeInstanceOf(UniqueViolation);
    expect(error).not.toBeInstanceOf(ServiceError);
  });

  test("of a column that may not be null is one too", async () => {
    const asked = database.transaction((transaction) =>
      transaction.execute("INSERT INTO settings (name, value) VALUES ('null', NULL)"),
    );
    await expect(asked).rejects.toThrow();
    expect(await namesFrom(database.read, "")).toEqual([]);
  });

  test("is no obstacle to the next", async () => {
    await addUser("usr_4", "ws_1", "d@example.com");
    await database.transaction(put("next"));
    expect(await namesFrom(database.read, "")).toEqual(["next"]);
  });
});

describeOnBothDatabases("a database", (_open, storage) => {
  test("has after its reopening what was committed, and nothing else", async () => {
    const place = await storage();
    const before = await openDatabase(place);
    await before.transaction(put("committed"));
    await before
      .transaction(async (transaction) => {
        await put("failed")(transaction);
        throw new Error("mine");
      })
      .catch(() => {});
    await before.close();

    const after = await openDatabase(place);
    expect(await namesFrom(after.read, "")).toEqual(["committed"]);
    await after.transaction(put("later"));
    expect(await namesFrom(after.read, "")).toEqual(["committed", "later"]);
    await after.close();
  });

  test("can be opened twice, and both see what either commits", async () => {
    const place = await storage();
    const [one, other] = await Promise.all([openDatabase(place), openDatabase(place)]);
    await one.transaction(put("one's"));
    await other.transaction(put("other's"));
    for (const database of [one, other])
      expect(await namesFrom(database.read, "o")).toEqual(["one's", "other's"]);
    await Promise.all([one.close(), other.close()]);
  });

  test("answers a ping", async () => {
    const database = await openDatabase(await storage());
    await expect(database.ping()).resolves.toBeUndefined();
    await database.close();
    await expect(database.ping()).rejects.toThrow();
  });
});

describe("a unique violation", () => {
  test("keeps the driver's error for the log", () => {
    const cause = new Error("UNIQUE constraint failed: users.email");
    expect(new UniqueViolation(cause)).toMatchObject({ name: "UniqueViolation", cause });
    expect(new UniqueViolation(cause).message).not.toContain("users");
  });
});
