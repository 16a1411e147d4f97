import { isIPv4, isIPv6 } from "node:net";

/** An IP address as a number, so that ranges can be compared whatever way it was written. */
export interface IpAddress {
  readonly family: 4 | 6;
  readonly value: bigint;
}

/** Addresses that share their first bits. */
export interface IpRange {
  readonly family: 4 | 6;
  readonly first: bigint;
  readonly last: bigint;
}

export const addressBits = { 4: 32, 6: 128 } as const;

/** ::ffff:0:0/96, which is how IPv6 sockets name IPv4 addresses. */
const MAPPED_PREFIX = 0xffffn;

/**
 * Reads an address: dotted decimal, or IPv6 in any of its forms without brackets.
 * @returns undefined for whatever is none, and for one with a zone (`fe80::1%eth0`), which means something on
 * one host only
 */
export function parseAddress(text: string): IpAddress | undefined {
  if (isIPv4(text)) return { family: 4, value: parseIpv4(text) };
  if (isIPv6(text) && !text.includes("%")) return { family: 6, value: parseIpv6(text) };
  return undefined;
}

function parseIpv4(text: string): bigint {
  return text.split(".").reduce((value, octet) => (value << 8n) | BigInt(octet), 0n);
}

function parseIpv6(text: string): bigint {
  const [head = "", tail] = text.split("::");
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  const zeros = new Array<bigint>(8 - before.length - after.length).fill(0n);
  return [...before, ...zeros, ...after].reduce((value, group) => (value << 16n) | group, 0n);
}

function groupsOf(text: string): bigint[] {
  if (text === "") return [];
  return text.split(":").flatMap((group) => {
    if (!group.includes(".")) return [BigInt(`0x${group}`)];
    const embedded = parseIpv4(group);
    return [embedded >> 16n, embedded & 0xffffn];
  });
}

/**
 * The address that a connection really goes to: a mapped one (`::ffff:10.0.0.1`) is IPv4 on the wire. The other
 * forms that carry an IPv4 address (`64:ff9b::`, `2002::`, `::a.b.c.d`) are IPv6 there, and stay what they are.
 */
export function routedAddress(address: IpAddress): IpAddress {
  return isMapped(address) ? { family: 4, value: address.value & 0xffff_ffffn } : address;
}

/** Whether this is IPv4 in IPv6's clothes: `::ffff:a.b.c.d`. */
export function isMapped({ family, value }: IpAddress): boolean {
  return family === 6 && value >> 32n === MAPPED_PREFIX;
}

/** The range that holds the address and all that share its first `prefix` bits. */
export function rangeAround({ family, value }: IpAddress, prefix: number): IpRange {
  const size = 1n << BigInt(addressBits[family] - prefix);
  const first = value - (value % size);
  return { family, first, last: first + size - 1n };
}

/** Whether the range holds the address; one of the other family it never holds. */
export function isInRange({ family, value }: IpAddress, range: IpRange): boolean {
  return family === range.family && range.first <= value && value <= range.last;
}
