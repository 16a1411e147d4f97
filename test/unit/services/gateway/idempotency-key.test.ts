import { describe, expect, test } from "@jest/globals";
import { idempotencyOf, type Sent } from "../../../../services/gateway/idempotency-key.ts";

const sent: Sent = { path: "/v1/data", pathParams: {}, content: Buffer.from('{"name":"A"}') };
const of = (key: string | string[] | undefined, changed: Partial<Sent> = {}) =>
  idempotencyOf({ "idempotency-key": key }, { ...sent, ...changed });

describe("what an Idempotency-Key stands for", () => {
  test("is nothing without one", () => {
    expect(of(undefined)).toBeUndefined();
  });

  test("is two hashes, the same each time, and the body in its bytes", () => {
    const first = of("key");
    expect(first?.requestHash).toMatch(/^[0-9a-f]{64}$/);
    expect(first?.bodyHash).toMatch(/^[0-9a-f]{64}$/);
    expect(of("key", { content: '{"name":"A"}' })).toEqual(first);
  });

  test.each<[string, string, Partial<Sent>]>([
    ["another key", "Key", {}],
    ["another path", "key", { path: "/v1/users" }],
    ["an item's path", "key", { pathParams: { id: "dlv_1" } }],
    ["a key that runs on where the path's parameter ends", 'key"]', { pathParams: { id: "key" } }],
  ])("is another request with %s", (_, key, changed) => {
    expect(of(key, changed)?.requestHash).not.toBe(of("key")?.requestHash);
    expect(of(key, changed)?.bodyHash).toBe(of("key")?.bodyHash);
  });

  test("is the same request with another body where only its content differs", () => {
    const other = of("key", { content: '{"name": "A"}' });
    expect(other?.requestHash).toBe(of("key")?.requestHash);
    expect(other?.bodyHash).not.toBe(of("key")?.bodyHash);
  });

  test("tells path parameters and key apart, whatever is in them", () => {
    const hashes = [
      of("c", { pathParams: { one: "a", other: "b" } }),
      of("c", { pathParams: { one: 'a","b' } }),
      of("b,c", { pathParams: { one: "a" } }),
    ].map((each) => each?.requestHash);
    expect(new Set(hashes).size).toBe(3);
  });
});

describe("a key", () => {
  test.each(["!", "~", "k".repeat(255), '"8e03978e-40d5-43dd-bc93-6894a57f9324"'])("may be %s", (key) => {
    expect(of(key)).toBeDefined();
  });

  test.each<[string, string | string[]]>([
    ["empty", ""],
    ["too long", "k".repeat(256)],
    ["with a space", "a b"],
    ["with a control character", "a\u007f"],
    ["beyond ASCII", "cl\u00e9"],
    ["with a line's end behind it", "key\n"],
    ["sent twice, as Node joins them", "one, two"],
    ["sent twice, as Node lists them", ["one", "two"]],
  ])("is refused that is %s", (_, key) => {
    expect(() => of(key)).toThrow(
      expect.objectContaining({
        errorCode: "invalid_request",
        details: [
          { path: "Idempotency-Key", message: "must be 1 to 255 visible ASCII characters, and be sent once" },
        ],
      }),
    );
  });
});
