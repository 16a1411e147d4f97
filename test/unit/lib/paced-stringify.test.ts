import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { parseOrdered, stringifyOrdered } from "../../../lib/ordered-json.ts";
import { stringifyPaced } from "../../../lib/paced-stringify.ts";

describe("the text of a value, made in slices", () => {
  test("is the one that is made at once", async () => {
    const property = fc.asyncProperty(fc.jsonValue({ maxDepth: 4 }), async (value) => {
      expect(await stringifyPaced(value)).toBe(stringifyOrdered(value));
    });
    await fc.assert(property);
  });

  test.each([
    [
      "keys that JavaScript would move",
      '{"b":1,"10":[{"2":"x","__proto__":"y","a":[]}],"__proto__":[],"1":{}}',
    ],
    ["an empty object", "{}"],
    ["empty lists", '{"items":[],"":[[],{}]}'],
    ["a list by itself", '[1,"a",null]'],
    ["text alone", '"a \\"b\\""'],
    ["null", "null"],
  ])("is what was parsed: %s", async (_, text) => {
    expect(await stringifyPaced(parseOrdered(text))).toBe(text);
  });

  test("leaves out what JSON does not know, as JSON does", async () => {
    const value = { gone: undefined, items: [undefined, 1, { gone: undefined }], when: new Date(0) };
    expect(await stringifyPaced(value)).toBe(stringifyOrdered(value));
  });

  test("lets others have their turn", async () => {
    const items = Array.from({ length: 2_000 }, (_, at) => ({ [String(at)]: "x".repeat(2_000) }));
    let turns = 0;
    let isDone = false;
    const count = () => {
      turns += 1;
      if (!isDone) setImmediate(count);
    };
    setImmediate(count);
    const text = await stringifyPaced({ items, created: items.length });
    isDone = true;
    expect(text).toBe(JSON.stringify({ items, created: items.length }));
    expect(turns).toBeGreaterThan(0);
  });
});
