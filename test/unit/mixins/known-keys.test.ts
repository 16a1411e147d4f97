import { afterAll, beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Database } from "../../../db/database.ts";
import { openDatabase } from "../../../db/open-database.ts";
import { Cipher } from "../../../lib/cipher.ts";
import type { Config } from "../../../lib/config.ts";
import {
  admitKeys,
  demandCurrentKey,
  forgetRetiredKeys,
  readKnownKeys,
  retireOtherKeys,
  sealWithin,
} from "../../../mixins/known-keys.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

const [oldKey, newKey] = [Buffer.alloc(32, "old"), Buffer.alloc(32, "new")];
const old = new Cipher(oldKey);
const rotating = new Cipher(newKey, oldKey);
const third = new Cipher(Buffer.alloc(32, "third"), newKey);

const PLACE = "vault/1";
const ROUNDS = 5;
const WRITERS = 8;

const inUse = ({ keyId }: Cipher) => ({ id: keyId, isRetired: false });
const retired = ({ keyId }: Cipher) => ({ id: keyId, isRetired: true });
const unavailable = expect.objectContaining({
  errorCode: "unavailable",
  cause: expect.objectContaining({ message: expect.stringMatching(/SECRET_KEY .*secrets reseal/) }),
});

describeOnBothDatabases("the keys that a database knows", (_open, freshStorage) => {
  let storage: Config["storage"];
  let database: Database;

  beforeAll(async () => {
    storage = await freshStorage();
    database = await openDatabase(storage);
    await change("CREATE TABLE vault (id VARCHAR(40) NOT NULL, content TEXT, PRIMARY KEY (id))");
  });

  afterAll(() => database.close());

  beforeEach(async () => {
    for (const table of ["vault", "settings"]) await change(`DELETE FROM ${table}`);
  });

  const change = (statement: string) => database.transaction((transaction) => transaction.execute(statement));
  const seal = (cipher: Cipher) =>
    database.transaction((transaction) => sealWithin(transaction, cipher, "secret", PLACE));
  const known = () => readKnownKeys(database.read);
  const admit = async (...ciphers: Cipher[]) => {
    for (const cipher of ciphers) await admitKeys(database, cipher);
  };

  test("all seal until the others are retired, which are known until they are forgotten", async () => {
    await admit(old, rotating);
    expect(await known()).toEqual([inUse(old), inUse(rotating)]);
    expect(old.open(await seal(old), PLACE)).toBe("secret");
    expect(rotating.open(await seal(rotating), PLACE)).toBe("secret");

    await retireOtherKeys(database, rotating);
    expect(await known()).toEqual([retired(old), inUse(rotating)]);
    await expect(seal(old)).rejects.toEqual(unavailable);
    expect(rotating.open(await seal(rotating), PLACE)).toBe("secret");

    await forgetRetiredKeys(database);
    expect(await known()).toEqual([inUse(rotating)]);
    await expect(seal(old)).rejects.toEqual(unavailable);
    expect(rotating.open(await seal(rotating), PLACE)).toBe("secret");
  });

  test("seal nothing before they are known", async () => {
    await expect(seal(old)).rejects.toEqual(unavailable);
    expect(await known()).toEqual([]);
  });

  test("retire others twice to the same effect", async () => {
    await admit(old, rotating);
    for (const _ of [1, 2]) await retireOtherKeys(database, rotating);
    expect(await known()).toEqual([retired(old), inUse(rotating)]);
    for (const _ of [1, 2]) await forgetRetiredKeys(database);
    expect(await known()).toEqual([inUse(rotating)]);
  });

  test("are retired by none that is retired or forgotten itself", async () => {
    await admit(old, rotating);
    await retireOtherKeys(database, rotating);
    const conflict = { errorCode: "conflict", message: expect.stringContaining("SECRET_KEY") };
    for (const forget of [async () => {}, () => forgetRetiredKeys(database)]) {
      await forget();
      const before = await known();
      await expect(retireOtherKeys(database, old)).rejects.toMatchObject(conflict);
      await expect(demandCurrentKey(database.read, old)).rejects.toMatchObject(conflict);
      await demandCurrentKey(database.read, rotating);
      expect(await known()).toEqual(before);
    }
  });

  test("stay known where they were let in after the others were retired", async () => {
    const current = new Cipher(newKey);
    await admit(current);
    await retireOtherKeys(database, current);
    await admit(third);
    await forgetRetiredKeys(database);
    expect(await known()).toEqual([inUse(current), inUse(third)]);
    expect(third.open(await seal(third), PLACE)).toBe("secret");
  });

  test("are retired by one of two that try at once", async () => {
    for (let round = 0; round < ROUNDS; round += 1) {
      await change("DELETE FROM settings");
      const reverse = new Cipher(oldKey, newKey);
      await admit(reverse, rotating);
      const outcomes = await Promise.allSettled(
        [reverse, rotating].map((cipher) => retireOtherKeys(database, cipher)),
      );
      expect(outcomes.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      const winner = outcomes[0]?.status === "fulfilled" ? reverse : rotating;
      expect((await known()).filter(({ isRetired }) => !isRetired)).toEqual([inUse(winner)]);
    }
  });

  test("have committed everything that they sealed once they are retired", async () => {
    const other = await openDatabase(storage);
    try {
      for (let round = 0; round < ROUNDS; round += 1) {
        for (const table of ["vault", "settings"]) await change(`DELETE FROM ${table}`);
        await admit(old, rotating);
        const begun = Promise.withResolvers<void>();
        const write = (index: number) =>
          other.transaction(async (transaction) => {
            const sealed = await sealWithin(transaction, old, "secret", PLACE);
            begun.resolve();
            // Long enough for who does not wait for it.
            for (let pause = 0; pause < 10; pause += 1) await transaction.query("SELECT 1");
            const values = [`v${index}`, sealed];
            return await transaction.execute("INSERT INTO vault (id, content) VALUES (?, ?)", values);
          });
        const writing = Promise.allSettled(Array.from({ length: WRITERS }, (_, index) => write(index)));
        await begun.promise;
        await retireOtherKeys(database, rotating);
        const atRetirement = await database.read.query("SELECT id FROM vault ORDER BY id");
        const outcomes = await writing;
        expect(await database.read.query("SELECT id FROM vault ORDER BY id")).toEqual(atRetirement);
        const written = outcomes.filter(({ status }) => status === "fulfilled");
        expect(written).toHaveLength(atRetirement.length);
        expect(written.length).toBeGreaterThan(0);
        const refused = outcomes.filter((outcome) => outcome.status === "rejected");
        for (const { reason } of refused) expect(reason).toEqual(unavailable);
      }
    } finally {
      await other.close();
    }
  });

  test("seal in several transactions at once, which do not stand in each other's way", async () => {
    await admit(old);
    const sealed = await Promise.all(Array.from({ length: 50 }, () => seal(old)));
    expect(new Set(sealed).size).toBe(50);
  });
});
