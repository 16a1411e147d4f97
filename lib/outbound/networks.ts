import {
  addressBits,
  type IpAddress,
  type IpRange,
  isMapped,
  parseAddress,
  rangeAround,
} from "./ip-address.ts";

/** A list of networks that cannot be used. Its message names the entry and says what it should be. */
export class NetworksError extends Error {
  /** The entry as it was written. */
  readonly entry: string;

  constructor(entry: string) {
    super(`has "${entry}", which is not a network as in 10.0.0.0/8 or fd00::/8`);
    this.name = "NetworksError";
    this.entry = entry;
  }
}

/**
 * Reads networks in CIDR notation, comma separated: `10.0.0.0/8, fd00::/8`. An address alone is a network of
 * one, bits beyond the prefix do not matter, and an empty text is no network at all.
 * @throws NetworksError for the first entry that is none
 */
export function parseNetworks(text: string): readonly IpRange[] {
  return text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map(parseNetwork);
}

/**
 * Reads one network in CIDR notation.
 * @throws NetworksError where it is none
 */
export function parseNetwork(entry: string): IpRange {
  const [, written = "", prefixText] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(entry) ?? [];
  const address = parseAddress(written);
  if (!address) throw new NetworksError(entry);
  const bits = addressBits[address.family];
  const prefix = prefixText === undefined ? bits : Number(prefixText);
  if (prefix > bits) throw new NetworksError(entry);
  return networkOf(address, prefix);
}

/** IPv4 networks written as mapped IPv6 ones (`::ffff:10.0.0.0/104`) are the IPv4 networks that they mean. */
function networkOf(address: IpAddress, prefix: number): IpRange {
  const mappedBits = addressBits[6] - addressBits[4];
  if (!isMapped(address) || prefix < mappedBits) return rangeAround(address, prefix);
  return rangeAround({ family: 4, value: address.value & 0xffff_ffffn }, prefix - mappedBits);
}
