import type { Middleware, ServiceBroker } from "moleculer";
import type { Database } from "../db/database.ts";
import { claimSetting, readSetting } from "../db/setting.repository.ts";
import { Cipher } from "../lib/cipher.ts";
import { type Config, ConfigError } from "../lib/config.ts";
import { findSecretKey } from "../lib/secret-key.ts";
import { databaseOf } from "./database.middleware.ts";

const ciphers = new WeakMap<ServiceBroker, Cipher>();

/** Finds the node's secret key before its services start; stands behind the middleware that opens the database. */
export function secretsMiddleware({ secrets, storage }: Pick<Config, "secrets" | "storage">): Middleware {
  return {
    name: "Secrets",
    starting: async (broker: ServiceBroker) => {
      const cipher = new Cipher(await findSecretKey(secrets, storage), secrets.secretKeyPrevious);
      await demandKnownKey(databaseOf(broker), cipher);
      ciphers.set(broker, cipher);
    },
  };
}

/** What seals and opens secrets on the node that the broker is; there from a service's `started` on. */
export function cipherOf(broker: ServiceBroker): Cipher {
  const cipher = ciphers.get(broker);
  if (!cipher) throw new Error("The secret key is known only once the broker has begun to start.");
  return cipher;
}

/**
 * A node with a wrong key would start, seal with it, and fail at whatever was sealed before, perhaps days
 * later. So the database remembers the name of the key that everything in it opens with.
 */
async function demandKnownKey(database: Database, cipher: Cipher): Promise<void> {
  await database.transaction((transaction) => claimSetting(transaction, "secrets.key", cipher.keyId));
  const known = await readSetting(database.read, "secrets.key");
  if (known === undefined || cipher.hasKey(known)) return;
  throw new ConfigError(
    "SECRET_KEY is not the key that sealed the secrets in this database. Set that one again; or, to change keys, set it as SECRET_KEY_PREVIOUS.",
  );
}
