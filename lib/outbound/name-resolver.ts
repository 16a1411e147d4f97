import { promises } from "node:dns";
import { setTimeout as sleep } from "node:timers/promises";
import { HostsFile } from "./hosts-file.ts";

/**
 * Gives all addresses of a host name, IPv4 and IPv6, in the order in which they should be tried.
 * It rejects where there are none, and once the signal is aborted.
 */
export type ResolveName = (name: string, signal: AbortSignal) => Promise<readonly string[]>;

export interface NameResolverOptions {
  /** DNS servers as `address:port`; those of the system unless told. */
  readonly servers?: readonly string[];
  readonly hostsFile?: HostsFile;
  /** How long the answer for the second family is waited for once the first has come. */
  readonly secondFamilyWaitMs?: number;
}

const QUERY_TIMEOUT_MS = 1500;
const QUERY_TRIES = 2;
const SECOND_FAMILY_WAIT_MS = 1000;

/**
 * A resolver that reads the hosts file and then asks DNS, both families at once. The system's own look-up
 * (`dns.lookup`) is not used: it cannot be cancelled, and holds one of the four threads that do file work too.
 * Names are taken as complete: search domains of the system do not apply.
 */
export function nameResolver({
  servers,
  hostsFile = new HostsFile(),
  secondFamilyWaitMs = SECOND_FAMILY_WAIT_MS,
}: NameResolverOptions = {}): ResolveName {
  return async (name, signal) => {
    const own = await hostsFile.addressesOf(name);
    if (own.length > 0) return own;
    signal.throwIfAborted();
    // One for each look-up, because cancelling ends all that a resolver was asked. It costs microseconds.
    const resolver = new promises.Resolver({ timeout: QUERY_TIMEOUT_MS, tries: QUERY_TRIES });
    if (servers) resolver.setServers(servers);
    const cancel = () => resolver.cancel();
    signal.addEventListener("abort", cancel, { once: true });
    try {
      return await bothFamilies(resolver, name, secondFamilyWaitMs);
    } finally {
      signal.removeEventListener("abort", cancel);
      cancel();
    }
  };
}

/** What one family says is enough where the other stays silent: only addresses that were given are used. */
async function bothFamilies(
  resolver: promises.Resolver,
  name: string,
  secondFamilyWaitMs: number,
): Promise<string[]> {
  const found: { v4: string[]; v6: string[] } = { v4: [], v6: [] };
  const queries = [
    resolver.resolve4(name).then((addresses) => {
      found.v4 = addresses;
    }),
    resolver.resolve6(name).then((addresses) => {
      found.v6 = addresses;
    }),
  ];
  await Promise.any(queries);
  const patience = new AbortController();
  const wait = sleep(secondFamilyWaitMs, undefined, { signal: patience.signal }).catch(() => {});
  await Promise.race([Promise.allSettled(queries), wait]);
  patience.abort();
  return [...found.v4, ...found.v6];
}
