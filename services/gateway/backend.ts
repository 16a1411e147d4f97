import type { ServiceBroker } from "moleculer";
import type { Caller, Permission } from "../../lib/caller.ts";
import type { KeyLookUp } from "./authenticator.ts";
import { type QueryParams, queryParamsOf } from "./params.ts";
import type { Backend } from "./pipeline.ts";

/** An action as its service declares it; of one on another node there is all but the handler. */
interface DeclaredAction {
  readonly name?: string;
  readonly permission?: Permission;
  readonly schema?: object;
}

/** A look-up of a key and the call after it must both fit into the ten seconds that a client waits at most. */
export const LOOK_UP_TIMEOUT_MS = 3_000;

const noSchema = {};

/** The services behind the gateway, reached through the broker. */
export function brokerBackend(broker: ServiceBroker): Backend {
  const queryParams = new WeakMap<object, QueryParams>();
  return {
    describe: (name) => {
      // Any endpoint will do. To ask the balancer for one would take the call's turn.
      const action: DeclaredAction | undefined =
        broker.registry.getActionEndpoints(name)?.endpoints[0]?.action;
      if (!action) return undefined;
      const schema = action.schema ?? noSchema;
      let known = queryParams.get(schema);
      if (!known) {
        known = queryParamsOf(schema);
        queryParams.set(schema, known);
      }
      return { permission: action.permission, queryParams: known };
    },
    call: (action, params, meta, requestID) => broker.call(action, params, { meta, requestID }),
  };
}

/** Asks the service that owns the keys. */
export function keyLookUp(broker: ServiceBroker): KeyLookUp {
  return (hash, requestID) =>
    broker.call<Caller | null, { hash: string }>(
      "keys.authenticate",
      { hash },
      { requestID, timeout: LOOK_UP_TIMEOUT_MS },
    );
}
