import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Database, SqlValue } from "../../../db/database.ts";
import { Cipher } from "../../../lib/cipher.ts";
import { admitKeys, retireOtherKeys } from "../../../mixins/known-keys.ts";
import { reseal, type SealedColumn } from "../../../mixins/reseal.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

const old = new Cipher(Buffer.alloc(32, "old"));
const current = new Cipher(Buffer.alloc(32, "new"));
const rotating = new Cipher(Buffer.alloc(32, "new"), Buffer.alloc(32, "old"));
const stranger = new Cipher(Buffer.alloc(32, "stranger"));

const vault: SealedColumn = { table: "vault", column: "content", place: (id) => `vault/${id}` };
const idOf = (index: number) => `v${String(index).padStart(4, "0")}`;

describeOnBothDatabases("to seal anew", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
    await change("CREATE TABLE vault (id VARCHAR(40) NOT NULL, content TEXT, PRIMARY KEY (id))");
  });

  beforeEach(async () => {
    await change("DELETE FROM vault");
    await change("DELETE FROM settings");
    await admitKeys(database, current);
  });

  const change = (statement: string, parameters: readonly SqlValue[] = []) =>
    database.transaction((transaction) => transaction.execute(statement, parameters));
  const put = (id: string, content: string | null) =>
    change("REPLACE INTO vault (id, content) VALUES (?, ?)", [id, content]);
  const contents = async () => {
    const rows = await database.read.query<{ id: string; content: string | null }>(
      "SELECT id, content FROM vault ORDER BY id",
    );
    return new Map(rows.map(({ id, content }) => [id, content]));
  };
  const sealBy = (cipher: Cipher, id: string, text = `secret of ${id}`) =>
    put(id, cipher.seal(text, `vault/${id}`));

  test("leaves everything open to the current key alone, more than fits a page too", async () => {
    const ids = Array.from({ length: 130 }, (_, index) => idOf(index));
    await Promise.all(ids.map((id) => sealBy(old, id)));
    expect(await reseal(database, rotating, vault)).toEqual({
      key_id: current.keyId,
      resealed: 130,
      unreadable: 0,
    });
    for (const [id, content] of await contents()) {
      expect(current.open(content ?? "", `vault/${id}`)).toBe(`secret of ${id}`);
    }
  });

  test("leaves alone what the current key sealed, and where there is nothing", async () => {
    await sealBy(current, idOf(1));
    await put(idOf(2), null);
    await sealBy(old, idOf(3));
    const before = await contents();
    expect(await reseal(database, rotating, vault)).toMatchObject({ resealed: 1, unreadable: 0 });
    const after = await contents();
    for (const id of [idOf(1), idOf(2)]) expect(after.get(id)).toBe(before.get(id));
    expect(await reseal(database, rotating, vault)).toMatchObject({ resealed: 0, unreadable: 0 });
    expect(await contents()).toEqual(after);
  });

  test("counts what no key opens, leaves it as it is, and goes on", async () => {
    await sealBy(stranger, idOf(1));
    await put(idOf(2), "plain text");
    await put(idOf(3), old.seal("moved here", "vault/elsewhere"));
    await sealBy(old, idOf(4));
    const before = await contents();
    expect(await reseal(database, rotating, vault)).toMatchObject({ resealed: 1, unreadable: 3 });
    const after = await contents();
    for (const id of [1, 2, 3].map(idOf)) expect(after.get(id)).toBe(before.get(id));
  });

  test("is refused to a key that seals no more, before it begins and while it is under way", async () => {
    await sealBy(current, idOf(1));
    await sealBy(old, idOf(2));
    const before = await contents();
    const reverse = new Cipher(Buffer.alloc(32, "old"), Buffer.alloc(32, "new"));
    await admitKeys(database, reverse);
    const retire = () => retireOtherKeys(database, rotating);
    await expect(reseal(disturbed(retire), reverse, vault)).rejects.toMatchObject({
      errorCode: "unavailable",
    });
    await expect(reseal(database, reverse, vault)).rejects.toMatchObject({ errorCode: "conflict" });
    expect(await contents()).toEqual(before);
  });

  test("of an empty table is nothing", async () => {
    expect(await reseal(database, rotating, vault)).toMatchObject({ resealed: 0, unreadable: 0 });
  });

  /** The same database, on which somebody does something right before the first change of the walk. */
  const disturbed = (disturb: () => Promise<unknown>): Database => {
    let isDisturbed = false;
    return {
      ...database,
      transaction: async (work) => {
        if (!isDisturbed) await disturb();
        isDisturbed = true;
        return await database.transaction(work);
      },
    };
  };

  test("never overwrites what was changed meanwhile", async () => {
    await sealBy(old, idOf(1));
    const busy = disturbed(() => sealBy(current, idOf(1), "newer"));
    expect(await reseal(busy, rotating, vault)).toMatchObject({ resealed: 0, unreadable: 0 });
    expect(current.open((await contents()).get(idOf(1)) ?? "", "vault/v0001")).toBe("newer");
  });

  test("seals anew what another node sealed with the old key meanwhile", async () => {
    await sealBy(old, idOf(1));
    const busy = disturbed(() => sealBy(old, idOf(1), "newer"));
    expect(await reseal(busy, rotating, vault)).toMatchObject({ resealed: 1, unreadable: 0 });
    expect(current.open((await contents()).get(idOf(1)) ?? "", "vault/v0001")).toBe("newer");
  });

  test("passes over what was deleted or emptied meanwhile", async () => {
    for (const statement of ["DELETE FROM vault", "UPDATE vault SET content = NULL"]) {
      await sealBy(old, idOf(1));
      const busy = disturbed(() => change(statement));
      expect(await reseal(busy, rotating, vault)).toMatchObject({ resealed: 0, unreadable: 0 });
    }
  });

  test("twice at once does it once", async () => {
    for (let index = 0; index < 20; index += 1) await sealBy(old, idOf(index));
    const both = await Promise.all([1, 2].map(() => reseal(database, rotating, vault)));
    expect(both.reduce((sum, { resealed }) => sum + resealed, 0)).toBe(20);
    for (const [id, content] of await contents()) {
      expect(current.open(content ?? "", `vault/${id}`)).toBe(`secret of ${id}`);
    }
  });
});
