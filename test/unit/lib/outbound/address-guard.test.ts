import { describe, expect, test } from "@jest/globals";
import { mayReach } from "../../../../lib/outbound/address-guard.ts";
import { forbiddenNetworks } from "../../../../lib/outbound/forbidden-networks.ts";
import { parseNetworks } from "../../../../lib/outbound/networks.ts";

const f = (groups: number) => Array.from({ length: groups }, () => "ffff").join(":");

/** First and last address of each forbidden network, and what stands just before and after where that is public. */
const ranges = [
  ["0.0.0.0/8", "0.0.0.0", "0.255.255.255", "", "1.0.0.0"],
  ["10.0.0.0/8", "10.0.0.0", "10.255.255.255", "9.255.255.255", "11.0.0.0"],
  ["100.64.0.0/10", "100.64.0.0", "100.127.255.255", "100.63.255.255", "100.128.0.0"],
  ["127.0.0.0/8", "127.0.0.0", "127.255.255.255", "126.255.255.255", "128.0.0.0"],
  ["169.254.0.0/16", "169.254.0.0", "169.254.255.255", "169.253.255.255", "169.255.0.0"],
  ["172.16.0.0/12", "172.16.0.0", "172.31.255.255", "172.15.255.255", "172.32.0.0"],
  ["192.0.0.0/24", "192.0.0.0", "192.0.0.255", "191.255.255.255", "192.0.1.0"],
  ["192.0.2.0/24", "192.0.2.0", "192.0.2.255", "192.0.1.255", "192.0.3.0"],
  ["192.88.99.0/24", "192.88.99.0", "192.88.99.255", "192.88.98.255", "192.88.100.0"],
  ["192.168.0.0/16", "192.168.0.0", "192.168.255.255", "192.167.255.255", "192.169.0.0"],
  ["198.18.0.0/15", "198.18.0.0", "198.19.255.255", "198.17.255.255", "198.20.0.0"],
  ["198.51.100.0/24", "198.51.100.0", "198.51.100.255", "198.51.99.255", "198.51.101.0"],
  ["203.0.113.0/24", "203.0.113.0", "203.0.113.255", "203.0.112.255", "203.0.114.0"],
  ["224.0.0.0/4", "224.0.0.0", "239.255.255.255", "223.255.255.255", ""],
  ["240.0.0.0/4", "240.0.0.0", "255.255.255.255", "", ""],
  ["::/8", "::", `ff:${f(7)}`, "", ""],
  ["64:ff9b::/96", "64:ff9b::", "64:ff9b::ffff:ffff", "", ""],
  ["64:ff9b:1::/48", "64:ff9b:1::", `64:ff9b:1:${f(5)}`, "", ""],
  ["100::/64", "100::", `100::${f(4)}`, "", ""],
  ["100:0:0:1::/64", "100:0:0:1::", `100:0:0:1:${f(4)}`, "", "100:0:0:2::"],
  ["2001::/23", "2001::", `2001:1ff:${f(6)}`, `2000:${f(7)}`, "2001:200::"],
  ["2001:db8::/32", "2001:db8::", `2001:db8:${f(6)}`, `2001:db7:${f(6)}`, "2001:db9::"],
  ["2002::/16", "2002::", `2002:${f(7)}`, `2001:${f(7)}`, "2003::"],
  ["3fff::/20", "3fff::", `3fff:fff:${f(6)}`, `3ffe:${f(7)}`, "3fff:1000::"],
  ["5f00::/16", "5f00::", `5f00:${f(7)}`, `5eff:${f(7)}`, "5f01::"],
  ["fc00::/7", "fc00::", `fdff:${f(7)}`, `fbff:${f(7)}`, "fe00::"],
  ["fe80::/10", "fe80::", `febf:${f(7)}`, `fe7f:${f(7)}`, ""],
  ["fec0::/10", "fec0::", `feff:${f(7)}`, "", ""],
  ["ff00::/8", "ff00::", f(8), "", ""],
] as const;

describe("forbidden networks", () => {
  test("are all in the table here", () => {
    expect(forbiddenNetworks.map(({ network }) => network)).toEqual(ranges.map(([network]) => network));
  });

  test.each(ranges.map(([network, first, last]) => [network, first, last]))(
    "%s is refused from %s to %s",
    (_network = "", first = "", last = "") => {
      expect([mayReach(first, []), mayReach(last, [])]).toEqual([false, false]);
    },
  );

  test.each(
    ranges.flatMap(([network, , , ...beside]) => beside.flatMap((each) => (each ? [[each, network]] : []))),
  )("%s beside %s may be reached", (address = "") => {
    expect(mayReach(address, [])).toBe(true);
  });
});

test.each(["8.8.8.8", "1.1.1.1", "93.184.215.14", "2606:4700::1111", "2a00:1450:4001:82b::200e"])(
  "%s, a public address, may be reached",
  (address) => {
    expect(mayReach(address, [])).toBe(true);
  },
);

/** The forms in which an IPv6 address carries 127.0.0.1 or 10.0.0.1. */
const carriers = [
  "::ffff:127.0.0.1",
  "::ffff:7f00:1",
  "0:0:0:0:0:ffff:7f00:1",
  "::FFFF:10.0.0.1",
  "::127.0.0.1",
  "::7f00:1",
  "::ffff:0:127.0.0.1",
  "64:ff9b::127.0.0.1",
  "64:ff9b::7f00:1",
  "64:ff9b:1::7f00:1",
  "2002:7f00:1::",
  "2002:a00:1::1",
  "2001:0:7f00:1::",
  "2001::80ff:fffe",
];

describe("an IPv4 address inside an IPv6 one", () => {
  test.each(carriers)("is refused as %s", (address) => {
    expect(mayReach(address, [])).toBe(false);
  });

  test.each(["::ffff:127.0.0.1", "::ffff:7f00:1", "0:0:0:0:0:ffff:7f00:1", "::FFFF:10.0.0.1"])(
    "is let through as %s where its IPv4 network is allowed, for there it goes",
    (address) => {
      expect(mayReach(address, parseNetworks("127.0.0.0/8, 10.0.0.0/8"))).toBe(true);
    },
  );

  test.each(carriers.slice(4))("is refused as %s although its IPv4 network is allowed", (address) => {
    expect(mayReach(address, parseNetworks("0.0.0.0/0"))).toBe(false);
  });

  test.each(carriers.slice(4))("is let through as %s where that is allowed itself", (address) => {
    expect(mayReach(address, parseNetworks("::/0"))).toBe(true);
  });

  test.each(carriers.slice(0, 4))(
    "is refused as %s where all IPv6 is allowed, for it is not that",
    (address) => {
      expect(mayReach(address, parseNetworks("::/0"))).toBe(false);
    },
  );
});

test.each([
  "",
  "localhost",
  "127.1",
  "0x7f000001",
  "[::1]",
  "fe80::1%eth0",
  "2606:4700::1111%eth0",
  "1.2.3.4 ",
])("%j is no address, and is refused whatever is allowed", (text) => {
  expect(mayReach(text, parseNetworks("0.0.0.0/0, ::/0"))).toBe(false);
});

describe("allowed networks", () => {
  test.each([
    { allowed: "10.1.0.0/16", address: "10.1.2.3", may: true },
    { allowed: "10.1.0.0/16", address: "10.2.0.0", may: false },
    { allowed: "127.0.0.1", address: "127.0.0.1", may: true },
    { allowed: "127.0.0.1", address: "127.0.0.2", may: false },
    { allowed: "fd00:1::/32", address: "fd00:1:2::3", may: true },
    { allowed: "fd00:1::/32", address: "fd00:2::", may: false },
    { allowed: "::1", address: "::1", may: true },
    { allowed: "::1", address: "127.0.0.1", may: false },
    { allowed: "0.0.0.0/0", address: "::1", may: false },
    { allowed: "::/0", address: "10.0.0.1", may: false },
    { allowed: "::ffff:10.0.0.0/104", address: "10.9.9.9", may: true },
    { allowed: "10.0.0.0/8", address: "8.8.8.8", may: true },
  ])("$allowed: $address $may", ({ allowed, address, may }) => {
    expect(mayReach(address, parseNetworks(allowed))).toBe(may);
  });
});
