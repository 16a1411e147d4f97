import { forbiddenNetworks } from "./forbidden-networks.ts";
import { type IpRange, isInRange, parseAddress, routedAddress } from "./ip-address.ts";
import { parseNetwork } from "./networks.ts";

const forbiddenRanges = forbiddenNetworks.map(({ network }) => parseNetwork(network));

/**
 * Whether a request may go to this address: a public one, or one that the operator allows.
 *
 * An allowed IPv4 network holds its addresses and their mapped form (`::ffff:10.0.0.1`), which are the same on
 * the wire. The other IPv6 forms that carry an IPv4 address are let through only where an IPv6 network that
 * holds them is allowed: where a NAT64 or a tunnel leads is not known here.
 *
 * @param text an IP address as resolvers and URLs write it, without brackets; whatever is none is refused
 */
export function mayReach(text: string, allowed: readonly IpRange[]): boolean {
  const address = parseAddress(text);
  if (!address) return false;
  const routed = routedAddress(address);
  if (allowed.some((range) => isInRange(routed, range))) return true;
  return !forbiddenRanges.some((range) => isInRange(address, range));
}
