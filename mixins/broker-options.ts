import type { BrokerOptions } from "moleculer";
import type { Config } from "../lib/config.ts";
import { databaseMiddleware } from "./database.middleware.ts";
import { frontDoorMiddleware } from "./front-door.middleware.ts";
import { idempotencyMiddleware } from "./idempotency.middleware.ts";
import { OrderedSerializer } from "./ordered-serializer.ts";
import { secretsMiddleware } from "./secrets.middleware.ts";
import { validationMiddleware } from "./validation.middleware.ts";

/**
 * How long a call may take. With the look-up of a key before it, a client that waits for somebody who does
 * not answer is told so within ten seconds.
 */
const REQUEST_TIMEOUT_MS = 6_500;

/** What all nodes agree on, those without services too. A node's id is Moleculer's: its host and process. */
export function clusterOptions({ node }: Pick<Config, "node">): BrokerOptions {
  return {
    transporter: node.transporter === undefined ? null : { type: "NATS", options: { url: node.transporter } },
    serializer: new OrderedSerializer(),
    requestTimeout: REQUEST_TIMEOUT_MS,
    // `$node.options` would hand the broker's options, and with them the transporter's password, to whoever can call.
    internalServices: { $node: { name: "$node", actions: { options: false } } },
  };
}

/** The broker of a node, the same in the program and in tests but for the logger. */
export function brokerOptions(config: Pick<Config, "storage" | "secrets" | "node">): BrokerOptions {
  return {
    ...clusterOptions(config),
    // Params are validated against the JSON Schema of the action, on the node that runs it.
    validator: false,
    // Without other nodes there is nobody to tell before the stop begins.
    registry: { stopDelay: 0 },
    // Signals are the program's matter: the broker's own handlers stop it once for each signal.
    skipProcessEventRegistration: true,
    // Hooks of a stop run from last to first: the doors close before anything else.
    middlewares: [
      databaseMiddleware(config.storage),
      secretsMiddleware(config),
      // Of those around an action a later one runs first: nothing is claimed for params that are refused.
      idempotencyMiddleware(),
      validationMiddleware(),
      frontDoorMiddleware(),
    ],
  };
}
