import type { Database, Sql } from "../db/database.ts";
import { claimSetting, readSetting, writeSetting } from "../db/setting.repository.ts";
import type { Cipher } from "../lib/cipher.ts";
import { ConfigError } from "../lib/config.ts";

/** Names of keys, a space between them. */
const SETTING = "secrets.key";

/** The names of all keys that may have sealed something in the database; none where it is new. */
export async function readKnownKeys(sql: Sql): Promise<string[]> {
  const known = await readSetting(sql, SETTING);
  return known === undefined ? [] : known.split(" ");
}

/**
 * Lets a node in that has all keys which may have sealed something, and notes the one that it seals with. A
 * node with a wrong key would start, seal with it, and fail at whatever was sealed before, perhaps days later.
 * @throws ConfigError
 */
export async function admitKeys(database: Database, cipher: Cipher): Promise<void> {
  await database.transaction(async (transaction) => {
    if (await claimSetting(transaction, SETTING, cipher.keyId)) return;
    const known = await readKnownKeys(transaction);
    if (!known.every((keyId) => cipher.hasKey(keyId))) {
      throw new ConfigError(
        "SECRET_KEY (or the file that stands for it) is not the key that sealed the secrets in this database. Set that one again; or, to change keys, set it as SECRET_KEY_PREVIOUS.",
      );
    }
    if (known.includes(cipher.keyId)) return;
    await writeSetting(transaction, SETTING, [...known, cipher.keyId].join(" "));
  });
}

/** Notes that the current key opens everything, so that a node may start without any other. */
export async function forgetOtherKeys(database: Database, cipher: Cipher): Promise<void> {
  await database.transaction((transaction) => writeSetting(transaction, SETTING, cipher.keyId));
}
