import { describe, expect, test } from "@jest/globals";
import { OutboundError } from "../../../../lib/outbound/outbound-error.ts";
import { readTarget } from "../../../../lib/outbound/target.ts";
import { failureOf, newClient, postTo } from "./support/client.ts";

/** Spellings of a forbidden address, and the address that each is. */
const spellings = [
  ["127.0.0.1", "127.0.0.1"],
  ["0x7f000001", "127.0.0.1"],
  ["0X7F.0.0.1", "127.0.0.1"],
  ["0x7f.1", "127.0.0.1"],
  ["2130706433", "127.0.0.1"],
  ["017700000001", "127.0.0.1"],
  ["0177.0.0.1", "127.0.0.1"],
  ["0177.0.0x0.1", "127.0.0.1"],
  ["127.1", "127.0.0.1"],
  ["127.0.1", "127.0.0.1"],
  ["127.0.0.1.", "127.0.0.1"],
  ["127.0.0.1..", "127.0.0.1"],
  ["%31%32%37.0.0.1", "127.0.0.1"],
  ["１２７.0.0.1", "127.0.0.1"],
  ["127。0。0。1", "127.0.0.1"],
  ["①②⑦.0.0.1", "127.0.0.1"],
  ["0", "0.0.0.0"],
  ["0x0", "0.0.0.0"],
  ["10.1", "10.0.0.1"],
  ["0300.0250.0.1", "192.168.0.1"],
  ["2852039166", "169.254.169.254"],
  ["0xa9fea9fe", "169.254.169.254"],
  ["[::1]", "::1"],
  ["[0:0:0:0:0:0:0:1]", "::1"],
  ["[::]", "::"],
  ["[::ffff:127.0.0.1]", "::ffff:7f00:1"],
  ["[::FFFF:7F00:1]", "::ffff:7f00:1"],
  ["[::127.0.0.1]", "::7f00:1"],
  ["[64:ff9b::127.0.0.1]", "64:ff9b::7f00:1"],
  ["[64:ff9b:1::10.0.0.1]", "64:ff9b:1::a00:1"],
  ["[2002:7f00:1::]", "2002:7f00:1::"],
  ["[2001:0:7f00:1::]", "2001:0:7f00:1::"],
  ["[fe80::1]", "fe80::1"],
  ["[fd00::1]", "fd00::1"],
] as const;

describe("a forbidden address", () => {
  test.each(spellings)("written %s is read as %s", (written, host) => {
    expect(readTarget(`https://${written}:8443/a`)).toMatchObject({ host, isAddress: true });
  });

  test.each(spellings.map(([written]) => written))(
    "written %s is refused without a look-up",
    async (written) => {
      const looked: string[] = [];
      const resolve = async (name: string) => {
        looked.push(name);
        return ["8.8.8.8"];
      };
      const client = newClient({ allowed: "", resolve });
      expect(await failureOf(client.post(postTo(`https://${written}/`)))).toMatchObject({
        reason: "blocked",
        message: "it leads to an address that may not be reached",
      });
      expect(looked).toEqual([]);
    },
  );
});

describe("a host name", () => {
  test.each([
    ["https://EXAMPLE.com.:443/A?b=c#d", "example.com", "https://example.com/A?b=c"],
    ["https://example.com:8443", "example.com", "https://example.com:8443/"],
    ["https://bücher.example/", "xn--bcher-kva.example", "https://xn--bcher-kva.example/"],
    ["https://my_service.example/", "my_service.example", "https://my_service.example/"],
    ["https:example.com", "example.com", "https://example.com/"],
  ])("in %s is %s", (text, host, url) => {
    expect(readTarget(text)).toMatchObject({ host, url, isAddress: false });
  });

  test.each([
    "https://./",
    "https://../",
    "https://a../",
    "https://.a/",
    "https://a..b/",
    `https://${"a".repeat(64)}.example/`,
    `https://${"a.".repeat(127)}example/`,
  ])("cannot be %s", (text) => {
    expect(() => readTarget(text)).toThrow(new OutboundError("url", "its host name is not valid"));
  });
});

test.each([
  ["http://example.com/", "it must begin with https://"],
  ["wss://example.com/", "it must begin with https://"],
  ["file:///etc/passwd", "it must begin with https://"],
  ["data:text/plain,a", "it must begin with https://"],
  ["https://user@example.com/", "it must not have a user name or a password in it"],
  ["https://user:password@example.com/", "it must not have a user name or a password in it"],
  ["https://:password@example.com/", "it must not have a user name or a password in it"],
  ["https://[fe80::1%25eth0]/", "it is not a valid URL"],
  ["https://[::1%eth0]/", "it is not a valid URL"],
  ["https://[::1/", "it is not a valid URL"],
  ["https://256.0.0.1/", "it is not a valid URL"],
  ["https://1.2.3.4.5/", "it is not a valid URL"],
  ["https://a b/", "it is not a valid URL"],
  ["https://", "it is not a valid URL"],
  ["/hook", "it is not a valid URL"],
  ["", "it is not a valid URL"],
])("%j is refused: %s", (text, message) => {
  expect(() => readTarget(text)).toThrow(new OutboundError("url", message));
});
