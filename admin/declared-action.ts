import type { ServiceBroker } from "moleculer";
import type { Permission } from "../lib/caller.ts";

/** What a service declares of an action; of one on another node too. */
export interface DeclaredAction {
  readonly name?: string;
  /** None on the framework's own actions. */
  readonly permission?: Permission;
  /** JSON Schema of its params; none on the framework's own actions. */
  readonly schema?: object;
}

/** The action of this name that the broker knows, on whatever node; undefined where there is none. */
export function findAction(broker: ServiceBroker, name: string): DeclaredAction | undefined {
  return broker.registry.getActionEndpoints(name)?.endpoints[0]?.action;
}
