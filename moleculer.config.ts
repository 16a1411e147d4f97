import { existsSync, readdirSync } from "node:fs";
import type { BrokerOptions } from "moleculer";
import { ConfigError, loadConfig } from "./lib/config.ts";
import { brokerOptions } from "./mixins/broker-options.ts";
import { programMiddleware } from "./mixins/program.middleware.ts";
import { ProgramLogger } from "./mixins/program-logger.ts";

/** What moleculer-runner starts the program with. A setting that cannot be used ends it with one sentence. */
export default function options(): BrokerOptions {
  try {
    const config = loadConfig();
    demandKnownServices(config.node.services);
    const { middlewares = [], ...common } = brokerOptions(config);
    return {
      ...common,
      logger: new ProgramLogger(config.node.logLevel),
      middlewares: [...middlewares, programMiddleware(config.http)],
    };
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    process.stderr.write(`${error.message}\n`);
    process.exit(1);
  }
}

/** @throws ConfigError for a name that no service has: without it the runner would start less than was asked for */
function demandKnownServices(names: readonly string[] = []): void {
  const known = readdirSync(new URL("./services/", import.meta.url), { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && hasService(entry.name))
    .map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ConfigError(`SERVICES names ${unknown || "an empty name"}, and there are ${known.join(", ")}.`);
  }
  if (names.length > 0 && !names.includes("gateway")) {
    throw new ConfigError("SERVICES must name gateway: without a broker nothing else lets requests in.");
  }
}

function hasService(name: string): boolean {
  return existsSync(new URL(`./services/${name}/${name}.service.ts`, import.meta.url));
}
