import type { Database, Sql, Transaction } from "../db/database.ts";
import {
  claimSetting,
  readSetting,
  readSettingForShare,
  readSettingForUpdate,
  writeSetting,
} from "../db/setting.repository.ts";
import type { Cipher } from "../lib/cipher.ts";
import { ConfigError } from "../lib/config.ts";
import { ServiceError, unavailable } from "../lib/errors.ts";

/** Names of keys, a space between them; {@link RETIRED} before one that seals no more. */
const SETTING = "secrets.key";
const RETIRED = "-";

/** A key that may have sealed something in the database. */
export interface KnownKey {
  readonly id: string;
  /** Whether it may seal no more: it is needed until everything has been sealed anew. */
  readonly isRetired: boolean;
}

/** All keys that may have sealed something in the database; none where it is new. */
export async function readKnownKeys(sql: Sql): Promise<KnownKey[]> {
  return parseKeys(await readSetting(sql, SETTING));
}

/**
 * Lets a node in that has all keys which may have sealed something, and notes the one that it seals with. A
 * node with a wrong key would start, seal with it, and fail at whatever was sealed before, perhaps days later.
 * @throws ConfigError
 */
export async function admitKeys(database: Database, cipher: Cipher): Promise<void> {
  await database.transaction(async (transaction) => {
    if (await claimSetting(transaction, SETTING, cipher.keyId)) return;
    const known = parseKeys(await readSettingForShare(transaction, SETTING));
    if (!known.every(({ id }) => cipher.hasKey(id))) {
      throw new ConfigError(
        "SECRET_KEY (or the file that stands for it) is not the key that sealed the secrets in this database. Set that one again; or, to change keys, set it as SECRET_KEY_PREVIOUS.",
      );
    }
    const own = known.find(({ id }) => id === cipher.keyId);
    if (own?.isRetired) {
      throw new ConfigError(
        "SECRET_KEY (or the file that stands for it) is the key that `secrets reseal` has begun to replace: swap it with SECRET_KEY_PREVIOUS.",
      );
    }
    if (!own) await writeKeys(transaction, [...known, { id: cipher.keyId, isRetired: false }]);
  });
}

/**
 * Seals a text in the transaction that stores it: the one way to do so. Until the transaction ends, nobody can
 * retire the key that sealed. Where that is possible, call it first: who waits here is best to hold nothing.
 * @param place see {@link Cipher}
 * @throws ServiceError `unavailable` where the node's key seals no more
 */
export async function sealWithin(
  transaction: Transaction,
  cipher: Cipher,
  text: string,
  place: string,
): Promise<string> {
  if (!seals(await readSettingForShare(transaction, SETTING), cipher)) {
    throw unavailable(
      new Error("This node's SECRET_KEY was replaced by `secrets reseal`: start it with the new one."),
    );
  }
  return cipher.seal(text, place);
}

/**
 * Refuses to seal anything anew where the node's key seals no more.
 * @throws ServiceError `conflict`
 */
export async function demandCurrentKey(sql: Sql, cipher: Cipher): Promise<void> {
  if (!seals(await readSetting(sql, SETTING), cipher)) throw differentKeys();
}

/**
 * Lets no other key seal from now on. What others sealed is committed by then, for whoever goes through it next.
 * @throws ServiceError `conflict` where the node's key itself seals no more
 */
export async function retireOtherKeys(database: Database, cipher: Cipher): Promise<void> {
  await database.transaction(async (transaction) => {
    const value = await readSettingForUpdate(transaction, SETTING);
    if (!seals(value, cipher)) throw differentKeys();
    const keys = parseKeys(value).map(({ id }) => ({ id, isRetired: id !== cipher.keyId }));
    await writeKeys(transaction, keys);
  });
}

/** Notes that the retired keys are needed no more. One that was let in since they were retired stays known. */
export async function forgetRetiredKeys(database: Database): Promise<void> {
  await database.transaction(async (transaction) => {
    const known = parseKeys(await readSettingForUpdate(transaction, SETTING));
    await writeKeys(
      transaction,
      known.filter(({ isRetired }) => !isRetired),
    );
  });
}

/** What whoever seals anew is told where not all nodes have the same key. */
export function differentKeys(): ServiceError {
  return new ServiceError(
    "conflict",
    "The nodes seal with different keys: start all of them with the same SECRET_KEY, then try again.",
  );
}

function seals(value: string | undefined, { keyId }: Cipher): boolean {
  return parseKeys(value).some(({ id, isRetired }) => id === keyId && !isRetired);
}

function parseKeys(value: string | undefined): KnownKey[] {
  if (value === undefined) return [];
  return value.split(" ").map((name) => {
    const isRetired = name.startsWith(RETIRED);
    return { id: isRetired ? name.slice(RETIRED.length) : name, isRetired };
  });
}

async function writeKeys(transaction: Transaction, keys: readonly KnownKey[]): Promise<void> {
  const names = keys.map(({ id, isRetired }) => (isRetired ? RETIRED + id : id));
  await writeSetting(transaction, SETTING, names.join(" "));
}
