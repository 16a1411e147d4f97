import type { BrokerOptions } from "moleculer";
import { type Config, ConfigError, loadConfig } from "./lib/config.ts";
import { brokerOptions } from "./mixins/broker-options.ts";
import { programMiddleware } from "./mixins/program.middleware.ts";
import { ProgramLogger } from "./mixins/program-logger.ts";
import { knownServices } from "./services/known-services.ts";

/** What moleculer-runner starts the program with. A setting that cannot be used ends it with one sentence. */
export default function options(): BrokerOptions {
  try {
    const config = loadConfig();
    demandKnownServices(config.node);
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
function demandKnownServices({ services = [], transporter }: Config["node"]): void {
  const known = knownServices();
  const unknown = services.find((name) => !known.includes(name));
  if (unknown !== undefined) {
    throw new ConfigError(`SERVICES names ${unknown || "an empty name"}, and there are ${known.join(", ")}.`);
  }
  if (transporter === undefined && services.length > 0 && !services.includes("gateway")) {
    throw new ConfigError(
      "SERVICES must name gateway where there is no TRANSPORTER: nothing else lets requests in.",
    );
  }
}
