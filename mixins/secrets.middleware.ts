import type { Middleware, ServiceBroker } from "moleculer";
import { Cipher } from "../lib/cipher.ts";
import type { Config } from "../lib/config.ts";
import { findSecretKey } from "../lib/secret-key.ts";
import { databaseOf } from "./database.middleware.ts";
import { admitKeys, readKnownKeys } from "./known-keys.ts";

const ciphers = new WeakMap<ServiceBroker, Cipher>();

/** Finds the node's secret key before its services start; stands behind the middleware that opens the database. */
export function secretsMiddleware({ secrets, storage }: Pick<Config, "secrets" | "storage">): Middleware {
  return {
    name: "Secrets",
    starting: async (broker: ServiceBroker) => {
      const database = databaseOf(broker);
      const known = await readKnownKeys(database.read);
      const key = await findSecretKey(secrets, storage, known.length === 0);
      const cipher = new Cipher(key, secrets.secretKeyPrevious);
      await admitKeys(database, cipher);
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
