import type { Service, ServiceBroker } from "moleculer";
import type { FirstStart } from "../lib/startup-summary.ts";

/**
 * What the start of this node made of an empty database: there once the broker has started.
 * @returns undefined where there was a workspace already, or where this node does not run the service
 */
export function firstStartOf(broker: ServiceBroker): FirstStart | undefined {
  const service: (Service & { firstStart?: FirstStart }) | undefined = broker.getLocalService("workspaces");
  return service?.firstStart;
}
