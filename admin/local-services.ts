import { ServiceBroker } from "moleculer";
import { loadConfig } from "../lib/config.ts";
import { databaseMiddleware } from "../mixins/database.middleware.ts";
import { validationMiddleware } from "../mixins/validation.middleware.ts";
import keysService from "../services/keys/keys.service.ts";
import workspacesService from "../services/workspaces/workspaces.service.ts";
import type { Call } from "./command.ts";

/** The database that the environment names, as an operator knows it: without account and password. */
export function databaseName(): string {
  const { databaseUrl, dataDir } = loadConfig().storage;
  if (databaseUrl === undefined) return dataDir;
  const { host, pathname } = new URL(databaseUrl);
  return host + pathname;
}

/**
 * Runs work with the operators' services in this process, on the database that the environment names. They
 * join no cluster and say nothing, and they make no workspace unless told to.
 */
export async function withServices<Result>(work: (call: Call) => Promise<Result>): Promise<Result> {
  const { storage } = loadConfig();
  const broker = new ServiceBroker({
    logger: false,
    skipProcessEventRegistration: true,
    internalServices: false,
    registry: { stopDelay: 0 },
    middlewares: [databaseMiddleware(storage), validationMiddleware()],
  });
  broker.createService({ ...workspacesService, settings: { provisionFirst: false } });
  broker.createService(keysService);
  try {
    await broker.start();
    return await work((action, params) => broker.call(action, params));
  } finally {
    await broker.stop();
  }
}
