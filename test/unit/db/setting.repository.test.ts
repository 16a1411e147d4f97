import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Database } from "../../../db/database.ts";
import {
  claimSetting,
  readSetting,
  readSettingForShare,
  readSettingForUpdate,
  writeSetting,
} from "../../../db/setting.repository.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

describeOnBothDatabases("a setting", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });
  beforeEach(() => database.transaction((transaction) => transaction.execute("DELETE FROM settings")));

  const read = () => readSetting(database.read, "search.version");
  const write = (value: string) =>
    database.transaction((transaction) => writeSetting(transaction, "search.version", value));
  const claim = (value: string) =>
    database.transaction((transaction) => claimSetting(transaction, "search.version", value));

  test("is undefined until it is written, and then what was written last", async () => {
    expect(await read()).toBeUndefined();
    await write("one");
    await write("two");
    expect(await read()).toBe("two");
    expect(await readSetting(database.read, "search.reindexed")).toBeUndefined();
  });

  test("may be empty, which is not the same as absent", async () => {
    await write("");
    expect(await read()).toBe("");
  });

  test("is claimed by the first and by nobody later", async () => {
    expect(await claim("mine")).toBe(true);
    expect(await claim("yours")).toBe(false);
    expect(await read()).toBe("mine");
  });

  test("is claimed by exactly one of many at once", async () => {
    const claims = await Promise.all(Array.from({ length: 20 }, (_, n) => claim(String(n))));
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await read()).toBe(String(claims.indexOf(true)));
  });

  test("is not changed by anybody while somebody holds it for sharing", async () => {
    await write("before");
    const holding = Promise.withResolvers<void>();
    const held = database.transaction(async (transaction) => {
      const first = await readSettingForShare(transaction, "search.version");
      holding.resolve();
      // Long enough for who does not wait.
      for (let pause = 0; pause < 10; pause += 1) await transaction.query("SELECT 1");
      return [first, await readSetting(transaction, "search.version")];
    });
    await holding.promise;
    await write("after");
    expect(await held).toEqual(["before", "before"]);
    expect(await read()).toBe("after");
  });

  test.each([
    ["for sharing", readSettingForShare],
    ["for update", readSettingForUpdate],
  ])("reads the same where it is held %s, absent ones too", async (_, readHeld) => {
    const readIt = () => database.transaction((transaction) => readHeld(transaction, "search.version"));
    expect(await readIt()).toBeUndefined();
    await write("value");
    expect(await Promise.all([readIt(), readIt()])).toEqual(["value", "value"]);
  });

  test("counts right where many read it for update and write one more", async () => {
    await write("0");
    const addOne = () =>
      database.transaction(async (transaction) => {
        const count = await readSettingForUpdate(transaction, "search.version");
        await writeSetting(transaction, "search.version", String(Number(count) + 1));
      });
    await Promise.all(Array.from({ length: 20 }, addOne));
    expect(await read()).toBe("20");
  });

  test("is free again when the one that claimed it failed: the next in line has it", async () => {
    const failing = database.transaction(async (transaction) => {
      await claimSetting(transaction, "search.version", "failed");
      throw new Error("mine");
    });
    const [failed, claimed] = await Promise.allSettled([failing, claim("next")]);
    expect(failed.status).toBe("rejected");
    expect(claimed).toEqual({ status: "fulfilled", value: true });
    expect(await read()).toBe("next");
  });
});
