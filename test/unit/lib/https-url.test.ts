import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { isHttpsUrl } from "../../../lib/https-url.ts";
import { compileCheck } from "../../../lib/validator.ts";

describe("an https URL", () => {
  test.each([
    "https://example.com",
    "https://example.com/",
    "https://example.com:8443/hooks/1?token=a@b#part",
    "https://EXAMPLE.com/%20",
    "https://bücher.example/grüße",
    "https://192.0.2.1/",
    "https://[2001:db8::1]:443/",
    "https://example.com?q=1",
    "https://example.com/@name",
  ])("is %s", (text) => {
    expect(isHttpsUrl(text)).toBe(true);
  });

  test.each([
    ["nothing", ""],
    ["another protocol", "http://example.com/"],
    ["the protocol in capitals", "HTTPS://example.com/"],
    ["no host", "https://"],
    ["no host, but a path", "https:///example.com"],
    ["one slash", "https:/example.com"],
    ["no slashes", "https:example.com"],
    ["a user", "https://user@example.com/"],
    ["a user and a password", "https://user:pass@example.com/"],
    ["an empty user", "https://@example.com/"],
    ["an empty user and password", "https://:@example.com/"],
    ["a space in front", " https://example.com/"],
    ["a line feed behind", "https://example.com/\n"],
    ["a tab within", "https://exam\tple.com/"],
    ["a space in the path", "https://example.com/a b"],
    ["a space that is not ASCII", "https://example.com/\u00a0"],
    ["U+0000", "https://example.com/\u0000"],
    ["a backslash", "https://example.com\\@other.example/"],
    ["half of a surrogate pair", "https://example.com/\ud83d"],
    ["a port that is none", "https://example.com:port/"],
    ["a port out of range", "https://example.com:65536/"],
    ["an address that is none", "https://[::g]/"],
    ["an address out of range", "https://256.0.0.1/"],
    ["a forbidden character in the host", "https://exa<mple.com/"],
  ])("is not one with %s", (_, text) => {
    expect(isHttpsUrl(text)).toBe(false);
  });

  test("is, whatever the text, one that a parser reads as https without user or password", () => {
    const parts = fc.constantFrom(
      "https://",
      "http://",
      "a",
      "@",
      ":",
      "/",
      "\\",
      "?",
      "#",
      ".",
      "[",
      " ",
      "é",
    );
    fc.assert(
      fc.property(fc.array(parts, { maxLength: 8 }), (texts) => {
        const text = `https://${texts.join("")}`;
        fc.pre(isHttpsUrl(text));
        const { protocol, username, password, host } = new URL(text);
        expect({ protocol, username, password }).toEqual({ protocol: "https:", username: "", password: "" });
        expect(host).not.toBe("");
      }),
    );
  });

  test("is a format of schemas, with a message of its own", () => {
    const check = compileCheck({
      type: "object",
      properties: { url: { type: "string", format: "httpsUrl" } },
    });
    expect(check({ url: "https://example.com" })).toBeUndefined();
    expect(check({ url: "http://example.com" })?.details).toEqual([
      { path: "url", message: "must be an https:// URL without user or password" },
    ]);
  });
});
