import type { BrokerOptions } from "moleculer";
import { ConfigError, loadConfig } from "./lib/config.ts";
import { brokerOptions } from "./mixins/broker-options.ts";
import { programMiddleware } from "./mixins/program.middleware.ts";
import { ProgramLogger } from "./mixins/program-logger.ts";

/** What moleculer-runner starts the program with. A setting that cannot be used ends it with one sentence. */
export default function options(): BrokerOptions {
  try {
    const config = loadConfig();
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
