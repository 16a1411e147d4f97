import { ServiceBroker } from "moleculer";
import { type Config, ConfigError } from "../lib/config.ts";
import { brokerOptions, clusterOptions } from "../mixins/broker-options.ts";
import { ProgramLogger } from "../mixins/program-logger.ts";
import { knownServices } from "../services/known-services.ts";
import { createQuietServices, loadServices } from "./local-services.ts";
import type { Operator } from "./operator.ts";

/** Services of a running program that a second one beside it must not be: a door, and a sender. */
const left: ReadonlySet<string> = new Set(["gateway", "dispatcher"]);

const CONNECT_TIMEOUT_MS = 10_000;
/** How long nodes have to tell which services they run; they answer at once. */
const DISCOVERY_TIMEOUT_MS = 5_000;
/** What every command of an operator takes. */
const neededServices = ["workspaces", "keys", "users"];

/**
 * Starts the broker that a REPL calls through. With TRANSPORTER it joins that cluster and has nothing of its
 * own; without, it has the services in this process, on the environment's database.
 * @throws ConfigError where no cluster is found; whatever keeps the database from opening
 */
export async function startReplBroker(config: Config, operator: Operator): Promise<ServiceBroker> {
  return config.node.transporter === undefined
    ? await startWithServices(config, operator)
    : await joinCluster(config, operator);
}

async function startWithServices(config: Config, operator: Operator): Promise<ServiceBroker> {
  const { middlewares = [], ...options } = brokerOptions(config);
  const broker = new ServiceBroker({
    ...options,
    logger: new ProgramLogger("error"),
    middlewares: [...middlewares, operator.middleware],
  });
  createQuietServices(broker, await loadServices(knownServices().filter((name) => !left.has(name))));
  await broker.start();
  return broker;
}

async function joinCluster(config: Config, operator: Operator): Promise<ServiceBroker> {
  const broker = new ServiceBroker({
    ...clusterOptions(config),
    // What goes wrong is told by the sentence that ends the program, or by the call that fails.
    logger: new ProgramLogger("fatal"),
    registry: { stopDelay: 0 },
    skipProcessEventRegistration: true,
    middlewares: [operator.middleware],
  });
  // The broker itself would try again and again; whoever sits here had better know at once.
  const { promise: refused, reject } = Promise.withResolvers<never>();
  refused.catch(() => {});
  broker.localBus.on("$transporter.error", ({ error }: { error: Error }) => {
    reject(new ConfigError(`The NATS server of TRANSPORTER cannot be reached: ${error.message}.`));
  });
  if (!(await within(CONNECT_TIMEOUT_MS, Promise.race([broker.start(), refused])))) {
    throw new ConfigError("The NATS server of TRANSPORTER does not answer.");
  }
  if (!(await within(DISCOVERY_TIMEOUT_MS, broker.waitForServices(neededServices)))) {
    const present = broker.registry.getNodeList({ onlyAvailable: true }).length - 1;
    throw new ConfigError(
      present === 0
        ? "TRANSPORTER leads to a NATS server that no node of this program is connected with."
        : `The nodes that TRANSPORTER leads to do not have all of these services: ${neededServices.join(", ")}.`,
    );
  }
  return broker;
}

/** Whether the work is done in time; throws what it throws. */
async function within(timeoutMs: number, work: Promise<unknown>): Promise<boolean> {
  const { promise: late, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => resolve(false), timeoutMs);
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
