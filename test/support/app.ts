import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { ServiceBroker } from "moleculer";
import { loadConfig } from "../../lib/config.ts";
import { brokerOptions } from "../../mixins/broker-options.ts";
import { frontDoorsOf } from "../../mixins/front-door.middleware.ts";
import { ProgramLogger } from "../../mixins/program-logger.ts";
import deliveriesService from "../../services/deliveries/deliveries.service.ts";
import dispatcherService from "../../services/dispatcher/dispatcher.service.ts";
import gatewayService from "../../services/gateway/gateway.service.ts";
import integrationsService from "../../services/integrations/integrations.service.ts";
import keysService from "../../services/keys/keys.service.ts";
import recordsService from "../../services/records/records.service.ts";
import secretsService from "../../services/secrets/secrets.service.ts";
import usersService from "../../services/users/users.service.ts";
import webhooksService from "../../services/webhooks/webhooks.service.ts";
import workspacesService from "../../services/workspaces/workspaces.service.ts";
import { type Environment, TEST_SECRET_KEY, withEnvironment } from "./environment.ts";
import type { Target } from "./http.ts";

/** Makes every service of the program. */
export function createAllServices(broker: ServiceBroker): void {
  broker.createService(workspacesService);
  broker.createService(keysService);
  broker.createService(recordsService);
  broker.createService(usersService);
  broker.createService(integrationsService);
  broker.createService(webhooksService);
  broker.createService(deliveriesService);
  broker.createService(secretsService);
  broker.createService(gatewayService);
  broker.createService(dispatcherService);
}

export interface AppOptions {
  /** Settings beside those that a test needs anyway; without `DATABASE_URL` it is SQLite in a folder of its own. */
  readonly env?: Environment;
  /** Makes others than all services. */
  readonly createServices?: (broker: ServiceBroker) => void;
}

/** The program within this process. */
export interface App extends Target {
  readonly broker: ServiceBroker;
  /** The workspace that the start made, if it made one. */
  readonly workspaceId: string | undefined;
  /** What was logged so far, at the level of `LOG_LEVEL`, by default from warnings up. */
  readonly log: readonly string[];
  /** Ends it as a signal would, and removes its folder. */
  stop(): Promise<void>;
}

const quiet: Environment = {
  HOST: "127.0.0.1",
  PORT: "0",
  LOG_LEVEL: "warn",
  SHUTDOWN_TIMEOUT_MS: "5000",
  SECRET_KEY: TEST_SECRET_KEY,
};

/** Starts the program in this process, on a free port and an empty database. Stop it when done. */
export async function startApp({
  env = {},
  createServices = createAllServices,
}: AppOptions = {}): Promise<App> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "workspace-data-"));
  const environment: Environment = { ...quiet, DATA_DIR: dataDir, ...env };
  const config = loadConfig(environment);
  const log: string[] = [];
  const broker = new ServiceBroker({
    ...brokerOptions(config),
    logger: new ProgramLogger(config.node.logLevel, (line) => log.push(line)),
  });
  withEnvironment(environment, () => createServices(broker));
  const stop = async () => {
    await broker.stop();
    await rm(dataDir, { recursive: true, force: true });
  };
  try {
    await broker.start();
  } catch (error) {
    await stop();
    throw error;
  }
  const first = firstStartOf(broker);
  const key = first?.key ?? environment.BOOTSTRAP_API_KEY ?? "";
  return {
    broker,
    log,
    stop,
    key,
    workspaceId: first?.workspaceId,
    port: frontDoorsOf(broker)[0]?.port ?? 0,
  };
}

function firstStartOf(broker: ServiceBroker) {
  const service:
    | { name?: string; firstStart?: { workspaceId: string; key: string | undefined } }
    | undefined = broker.getLocalService("workspaces");
  return service?.firstStart;
}
