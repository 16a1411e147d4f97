import { ServiceBroker, type ServiceSchema } from "moleculer";
import { loadConfig } from "../lib/config.ts";
import { databaseMiddleware } from "../mixins/database.middleware.ts";
import { secretsMiddleware } from "../mixins/secrets.middleware.ts";
import { validationMiddleware } from "../mixins/validation.middleware.ts";
import type { Call } from "./command.ts";
import { Operator } from "./operator.ts";

/** The database that the environment names, as an operator knows it: without account and password. */
export function databaseName(): string {
  const { databaseUrl, dataDir } = loadConfig().storage;
  if (databaseUrl === undefined) return dataDir;
  const { host, pathname } = new URL(databaseUrl);
  return host + pathname;
}

/**
 * Runs work with the named services in this process, on the database that the environment names. They join
 * no cluster and say nothing.
 */
export async function withServices<Result>(
  names: readonly string[],
  work: (call: Call) => Promise<Result>,
): Promise<Result> {
  const config = loadConfig();
  const schemas = await loadServices(names);
  const operator = new Operator();
  const broker = new ServiceBroker({
    logger: false,
    skipProcessEventRegistration: true,
    internalServices: false,
    registry: { stopDelay: 0 },
    middlewares: [
      databaseMiddleware(config.storage),
      // What seals nothing works where nobody told the secret key.
      ...(schemas.some(({ metadata }) => metadata?.sealsSecrets === true) ? [secretsMiddleware(config)] : []),
      validationMiddleware(),
      operator.middleware,
    ],
  });
  try {
    createQuietServices(broker, schemas);
    await broker.start();
    return await work(operator.call);
  } finally {
    await broker.stop();
  }
}

/** The schemas of the services with these names. One whose metadata has `sealsSecrets` needs the secret key. */
export async function loadServices(names: readonly string[]): Promise<ServiceSchema[]> {
  const modules = await Promise.all(
    names.map(async (name): Promise<{ default: ServiceSchema }> => {
      return await import(`../services/${name}/${name}.service.ts`);
    }),
  );
  return modules.map(({ default: schema }) => schema);
}

/**
 * Makes services that do nothing but what they are called for: no first workspace, no upkeep of search
 * indexes. That is for a service that runs.
 */
export function createQuietServices(broker: ServiceBroker, schemas: readonly ServiceSchema[]): void {
  for (const schema of schemas) {
    broker.createService({
      ...schema,
      settings: { ...schema.settings, provisionFirst: false },
      metadata: { ...schema.metadata, keepSearchIndex: false },
    });
  }
}
