import type { Middleware, ServiceBroker } from "moleculer";
import { type Config, summarizeConfig } from "../lib/config.ts";
import { explainFailure } from "../lib/explain-failure.ts";
import { baseUrlOf, firstStartNotice } from "../lib/startup-summary.ts";
import { firstStartOf } from "./first-start.ts";
import { frontDoorsOf } from "./front-door.middleware.ts";

const signals = ["SIGTERM", "SIGINT"] as const;
/** Ctrl-C in a terminal reaches the program twice, from the terminal and from npm: so near, that is one signal. */
const SAME_SIGNAL_MS = 300;

/**
 * What the broker does as a program of its own: it tells how it is configured, shows the first key, and ends
 * in order at a signal. A second signal ends it at once.
 */
export function programMiddleware(http: Config["http"]): Middleware {
  let stoppingSinceMs: number | undefined;
  let isKeyShown = false;

  const stop = (broker: ServiceBroker, signal: string) => {
    if (stoppingSinceMs !== undefined) {
      if (performance.now() - stoppingSinceMs > SAME_SIGNAL_MS) process.exit(1);
      return;
    }
    stoppingSinceMs = performance.now();
    loggerOf(broker).info(`${signal}: requests in flight are finished first.`);
    // Whatever goes wrong in a stop is logged by the broker, which never rejects.
    void broker.stop().then(() => {
      loggerOf(broker).info("Stopped.");
      process.exit(0);
    });
  };

  const showFirstKey = (broker: ServiceBroker) => {
    const firstStart = firstStartOf(broker);
    if (!firstStart || isKeyShown) return;
    isKeyShown = true;
    const port = frontDoorsOf(broker)[0]?.port;
    // Where no door opened, another program may have the port: its address is not for trying the key.
    const baseUrl = port === undefined ? undefined : baseUrlOf({ ...http, port });
    process.stdout.write(firstStartNotice(firstStart, baseUrl));
  };

  return {
    name: "Program",
    created: (broker: ServiceBroker) => {
      explainFailedStart(broker);
      loggerOf(broker).info(`Configuration: ${summarizeConfig().join(" ")}`);
      for (const signal of signals) process.on(signal, () => stop(broker, signal));
      // Also where the start fails behind the point at which the key was made: nobody can show it again.
      process.once("exit", () => showFirstKey(broker));
    },
    started: async (broker: ServiceBroker) => {
      showFirstKey(broker);
      loggerOf(broker).info(`Ready after ${Math.round(process.uptime() * 1000)} ms.`);
    },
  };
}

/** The runner would print a stack for whatever keeps the broker from starting, a wrong password included. */
function explainFailedStart(broker: ServiceBroker): void {
  const start = broker.start.bind(broker);
  broker.start = async () => {
    try {
      await start();
    } catch (error) {
      loggerOf(broker).fatal(`The start failed: ${explainFailure(error)}`);
      process.exit(1);
    }
  };
}

function loggerOf(broker: ServiceBroker) {
  return broker.getLogger("program", { svc: "program" });
}
