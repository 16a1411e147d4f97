import type { ServiceBroker } from "moleculer";
import { table } from "./table.ts";

const BYTES_IN_MIB = 1_048_576;

/** What `info` prints of the console's own node, and of what it is connected with. Settings are `env`'s matter. */
export function brokerInfo({ registry, nodeID, transit, MOLECULER_VERSION }: ServiceBroker): string[] {
  const nodes = registry.getNodeList({ onlyAvailable: true });
  const count = (onlyLocal: boolean) =>
    registry.getServiceList({ onlyLocal, onlyAvailable: true, skipInternal: true }).length;
  return table([
    ["node", nodeID],
    ["transporter", transit?.tx.constructor.name ?? "none"],
    ["nodes", `${nodes.length} online`],
    ["services", `${count(true)} here, ${count(false)} on all nodes`],
    ["Moleculer", MOLECULER_VERSION],
    ["Node.js", process.version],
    ["up", `${Math.round(process.uptime())} s`],
    ["memory", `${Math.round(process.memoryUsage.rss() / BYTES_IN_MIB)} MiB`],
  ]);
}
