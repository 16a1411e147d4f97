import type { Middleware, ServiceBroker } from "moleculer";
import type { Database } from "../db/database.ts";
import { openDatabase } from "../db/open-database.ts";
import type { Config } from "../lib/config.ts";

const databases = new WeakMap<ServiceBroker, Database>();

/**
 * Opens the node's database before its services start, and closes it after the last of them has stopped:
 * services stop side by side, so none of them may close what others still need.
 */
export function databaseMiddleware(storage: Config["storage"]): Middleware {
  return {
    name: "Database",
    starting: async (broker: ServiceBroker) => {
      databases.set(broker, await openDatabase(storage));
    },
    stopped: async (broker: ServiceBroker) => {
      await databases.get(broker)?.close();
      databases.delete(broker);
    },
  };
}

/** The database of the node that the broker is; there from a service's `started` on. */
export function databaseOf(broker: ServiceBroker): Database {
  const database = databases.get(broker);
  if (!database) throw new Error("The database is open only while the broker runs.");
  return database;
}
