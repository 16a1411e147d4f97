import { describe, expect, test } from "@jest/globals";
import { isInRange, parseAddress } from "../../../../lib/outbound/ip-address.ts";
import { NetworksError, parseNetworks } from "../../../../lib/outbound/networks.ts";

function holds(networks: string, text: string): boolean {
  const address = parseAddress(text);
  if (!address) throw new Error(`${text} is no address.`);
  return parseNetworks(networks).some((range) => isInRange(address, range));
}

describe("networks", () => {
  test.each(["", " ", ",", " , "])("in %j are none", (text) => {
    expect(parseNetworks(text)).toEqual([]);
  });

  test.each([
    ["10.0.0.0/8,fd00::/8", ["10.255.0.1", "fd12::1"], ["11.0.0.0", "fe00::"]],
    [" 10.0.0.0/8 , , 192.168.1.0/24 ", ["10.0.0.0", "192.168.1.255"], ["192.168.2.0"]],
    ["192.168.1.7/24", ["192.168.1.0", "192.168.1.255"], ["192.168.0.255"]],
    ["192.168.1.7", ["192.168.1.7"], ["192.168.1.6", "192.168.1.8"]],
    ["192.168.1.7/32", ["192.168.1.7"], ["192.168.1.6"]],
    ["::1", ["::1", "0:0:0:0:0:0:0:1"], ["::", "::2"]],
    ["::/0", ["::", "ffff::"], ["10.0.0.1"]],
    ["FD00:ABCD::/32", ["fd00:abcd:1::"], ["fd00:abce::"]],
    ["::ffff:10.0.0.0/104", ["10.1.2.3"], ["11.0.0.0"]],
  ])("in %j hold what they should", (text, inside, outside) => {
    expect(inside.filter((address) => !holds(text, address))).toEqual([]);
    expect(outside.filter((address) => holds(text, address))).toEqual([]);
  });

  test.each([
    "10.0.0.0/33",
    "10.0.0.0/-1",
    "10.0.0.0/",
    "10.0.0.0/8/8",
    "10.0.0.0/x",
    "10.0.0/8",
    "010.0.0.0/8",
    "256.0.0.0/8",
    "fd00::/129",
    "fd00::1::/8",
    "fe80::1%eth0",
    "[::1]/128",
    "example.com",
    "*",
    "/8",
  ])("cannot be read from %j, which the error names", (entry) => {
    const read = () => parseNetworks(`127.0.0.1,${entry}, ::1`);
    expect(read).toThrow(NetworksError);
    expect(read).toThrow(`has "${entry}", which is not a network as in 10.0.0.0/8 or fd00::/8`);
  });
});
