import { mayReach } from "./address-guard.ts";
import type { IpRange } from "./ip-address.ts";
import type { ResolveName } from "./name-resolver.ts";
import { OutboundError } from "./outbound-error.ts";
import type { Target } from "./target.ts";

/** Addresses of one name that are tried; a name with more is served by these. */
const MAX_ADDRESSES = 16;

const loopbackAddresses = ["127.0.0.1", "::1"];

/**
 * The addresses that a request to this target may connect to, each of them vetted. One look-up decides once;
 * nothing of it is kept for the next.
 *
 * One forbidden address refuses the whole name, since who set it chose them all. `localhost` and the names
 * below it are loopback whatever a resolver says, and whoever allows one of its two addresses reaches that.
 *
 * @throws OutboundError `dns` where the name has no address, `blocked` where it leads to a forbidden one
 */
export async function vettedAddresses(
  { host, isAddress }: Target,
  allowed: readonly IpRange[],
  resolve: ResolveName,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const isAllowed = (address: string) => mayReach(address, allowed);
  if (isLoopbackName(host)) {
    const reachable = loopbackAddresses.filter(isAllowed);
    if (reachable.length === 0) throw blocked();
    return reachable;
  }
  const addresses = isAddress ? [host] : await resolved(host, resolve, signal);
  if (!addresses.every(isAllowed)) throw blocked();
  return addresses.slice(0, MAX_ADDRESSES);
}

function isLoopbackName(host: string): boolean {
  return host === "localhost" || host.endsWith(".localhost");
}

async function resolved(host: string, resolve: ResolveName, signal: AbortSignal): Promise<readonly string[]> {
  const addresses = await resolve(host, signal).catch((error) => {
    throw new OutboundError("dns", "its name could not be resolved", error);
  });
  if (addresses.length === 0) throw new OutboundError("dns", "its name could not be resolved");
  return addresses;
}

function blocked(): OutboundError {
  return new OutboundError("blocked", "it leads to an address that may not be reached");
}
