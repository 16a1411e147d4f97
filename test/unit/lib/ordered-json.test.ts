import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { markKeys, parseOrdered, stringifyOrdered, unmarkKey } from "../../../lib/ordered-json.ts";
import { isStorable } from "../../../lib/validator.ts";

/** A JSON value as its text has it: an object's members in a row, whatever JavaScript thinks of their keys. */
type Json = string | number | boolean | null | Json[] | { members: [string, Json][] };

/** Texts that look like the marks, the keys or the JSON around them. */
const trickyText = fc.constantFrom(
  'a,"10":',
  '{"10":1,"__proto__":2}',
  '"\\u000010":',
  "\\u0000",
  "\\u000010",
  '"',
  "\\",
  '\\"',
  ",",
  "{",
  "10",
  "__proto__",
  "",
);
const anyText = fc.string({ unit: "binary", maxLength: 8 }).filter(isStorable);
const text = fc.oneof(trickyText, anyText);
const delicateKey = fc.oneof(
  fc.constantFrom("__proto__", "0", "10", "4294967294", "4294967295", "99999999999999999999"),
  fc.nat().map(String),
);
const harmlessKey = fc.constantFrom("constructor", "toString", "01", "-1", "1.5", "1e3", " 1", "a", "b");
const key = fc.oneof(delicateKey, harmlessKey, text);

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    text,
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie("json"), { maxLength: 4 }),
    fc.record({
      members: fc.uniqueArray(fc.tuple(key, tie("json")), { maxLength: 6, selector: ([name]) => name }),
    }),
  ),
}));

/** How one client or another writes JSON: with spaces, and with escapes that need not be. */
const styles = fc.record({
  space: fc.constantFrom("", " ", "\n\t ", "\r\n"),
  escapeAll: fc.boolean(),
  upperCase: fc.boolean(),
});
type Style = typeof styles extends fc.Arbitrary<infer Value> ? Value : never;

const compact: Style = { space: "", escapeAll: false, upperCase: false };

function write(value: Json, style: Style): string {
  const gap = style.space;
  if (typeof value === "string") return writeText(value, style);
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map((item) => gap + write(item, style) + gap).join(",")}]`;
  const members = value.members.map(
    ([name, member]) => `${gap + writeText(name, style) + gap}:${gap}${write(member, style)}${gap}`,
  );
  return `{${members.join(",")}}`;
}

function writeText(value: string, { escapeAll, upperCase }: Style): string {
  if (!escapeAll) return JSON.stringify(value);
  const units = value.split("").map((unit) => {
    const hex = unit.charCodeAt(0).toString(16).padStart(4, "0");
    return `\\u${upperCase ? hex.toUpperCase() : hex}`;
  });
  return `"${units.join("")}"`;
}

describe("JSON that is parsed and written again", () => {
  test("is the same text, member for member in the same order, however it was spaced and escaped", () => {
    fc.assert(
      fc.property(json, styles, (value, style) => {
        expect(stringifyOrdered(parseOrdered(write(value, style)))).toBe(write(value, compact));
      }),
      { numRuns: 1_000 },
    );
  });

  test("is the same value as with JSON.parse and JSON.stringify, for any value of theirs", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (value) => {
        fc.pre(!JSON.stringify(value).includes("\\u0000"));
        const again: unknown = JSON.parse(stringifyOrdered(parseOrdered(JSON.stringify(value))));
        expect(again).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  test.each([
    ['{"b":1,"10":2,"a":3,"2":4}'],
    ['{"a":{"z":1,"7":2,"__proto__":{"0":1}},"0":[{"y":1,"1":2}]}'],
    ['{"x":"a,\\"10\\":","10":"{\\"10\\":1}"}'],
    ['{"x":"\\\\u0000","y":"\\\\u000010","z":"\\"\\\\u0000"}'],
  ])("stays %s", (written) => {
    expect(stringifyOrdered(parseOrdered(written))).toBe(written);
  });

  test("keeps the place of a key that is written with escapes", () => {
    expect(stringifyOrdered(parseOrdered('{"b":1,"\\u0031\\u0030":2}'))).toBe('{"b":1,"10":2}');
    expect(stringifyOrdered(parseOrdered('{"b":1,"__proto\\u005F_":2}'))).toBe('{"b":1,"__proto__":2}');
  });

  test("is not read with the keys of an earlier text, as JSON.parse does with keys that are spelt with escapes", () => {
    for (const earlier of ["\\\\", "\\\\u", "\\\\u0", "a\\\\"]) JSON.parse(`{"h":[],"${earlier}":0}`);
    for (const [written, key] of [
      ['{"h":1,"\\"":2}', '"'],
      ['{"h":1,"\\u00e9":2}', "é"],
      ['{"h":1,"\\u540d":2}', "名"],
      ['{"h":1,"\\u00e9a":2}', "éa"],
      ['{"h":1,"a\\n":2}', "a\n"],
      ['{"h":1,"10":2}', "10"],
    ] as const) {
      expect(Object.keys(parseOrdered<object>(written)).map(unmarkKey)).toEqual(["h", key]);
    }
  });

  test("may be nested as deeply as JSON.parse allows", () => {
    const depth = 100_000;
    expect(() => parseOrdered(`{"10":${"[".repeat(depth)}${"]".repeat(depth)}}`)).not.toThrow();
  });

  test("is refused where it is no JSON, marks or not", () => {
    for (const broken of [
      "",
      "{",
      '{"10":}',
      '{"10":1,}',
      "{10:1}",
      '{"10" 1}',
      '"10":1',
      '{"a","10":1}',
      "{'10':1}",
    ]) {
      expect(() => parseOrdered(broken)).toThrow(SyntaxError);
    }
  });

  test("is refused exactly where JSON.parse refuses it", () => {
    const fragments = fc.constantFrom(
      "{",
      "}",
      '"10"',
      ":",
      ",",
      '"',
      "\\",
      '"\\u0000',
      "[",
      "]",
      " ",
      "1",
      '"a"',
    );
    fc.assert(
      fc.property(fc.array(fragments, { maxLength: 9 }), (parts) => {
        const written = parts.join("");
        expect(accepts(parseOrdered, written)).toBe(accepts(JSON.parse, written));
      }),
      { numRuns: 2_000 },
    );
  });
});

function accepts(parse: (written: string) => unknown, written: string): boolean {
  try {
    parse(written);
    return true;
  } catch {
    return false;
  }
}

describe("a key that ends with a backslash", () => {
  test.each([
    ['{"h":1,"\\\\":2}', '{"h":1,"\\u00e9":2}', ["h", "é"]],
    ['{"i":1,"a\\u005c":2}', '{"i":1,"a\\n":2}', ["i", "a\n"]],
    ['{"j":1,"\\\\\\"\\\\":2}', '{"j":1,"\\\\\\"\\n":2}', ["j", '\\"\n']],
  ])("of one client, as in %s, does not become a key of another's", (first, second, keys) => {
    expect(stringifyOrdered(parseOrdered(first))).toBe(first.replace("\\u005c", "\\\\"));
    expect(Object.keys(parseOrdered<object>(second)).map(unmarkKey)).toEqual(keys);
  });
});

describe("a parsed object", () => {
  test("has the plain prototype, and so has a careless copy of it", () => {
    fc.assert(
      fc.property(json, styles, (value, style) => {
        for (const object of objectsIn(parseOrdered(write(value, style)))) {
          const copy: Record<string, unknown> = {};
          for (const [name, member] of Object.entries(object)) copy[name] = member;
          expect(Object.getPrototypeOf(object)).toBe(Object.prototype);
          expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
        }
      }),
    );
  });

  test("gives its keys as the client knows them", () => {
    const members = fc.uniqueArray(key, { maxLength: 8 });
    fc.assert(
      fc.property(members, styles, (names, style) => {
        const written = write({ members: names.map((name) => [name, 1]) }, style);
        expect(Object.keys(parseOrdered<object>(written)).map(unmarkKey)).toEqual(names);
      }),
    );
  });

  test("shows a key of the client's with U+0000 in it as one that cannot be stored, mark or no mark", () => {
    const nulKey = fc.tuple(key, key).map(([before, after]) => `${before}\u0000${after}`);
    fc.assert(
      fc.property(
        fc.oneof(nulKey, fc.constantFrom("\u0000", "\u000010", "\u0000name")),
        styles,
        (name, style) => {
          const [parsed = ""] = Object.keys(parseOrdered<object>(write({ members: [[name, 1]] }, style)));
          expect(isStorable(unmarkKey(parsed))).toBe(false);
        },
      ),
    );
  });

  test("keeps a client's key with U+0000 apart from the one that it imitates", () => {
    expect(Object.values(parseOrdered<object>('{"\\u000010":"imitation","10":"real"}'))).toEqual([
      "imitation",
      "real",
    ]);
  });
});

function objectsIn(value: unknown): object[] {
  if (typeof value !== "object" || value === null) return [];
  const inner = Object.values(value).flatMap(objectsIn);
  return Array.isArray(value) ? inner : [value, ...inner];
}

describe("keys of an object that was not parsed here", () => {
  test("are marked as parsing would have marked them", () => {
    fc.assert(
      fc.property(fc.uniqueArray(key, { maxLength: 8 }), (names) => {
        const members = Object.fromEntries(names.map((name) => [name, name]));
        const parsed = parseOrdered<Record<string, string>>(JSON.stringify(members));
        expect(Object.entries(markKeys(members))).toEqual(Object.entries(parsed));
        expect(stringifyOrdered(markKeys(members))).toBe(JSON.stringify(members));
      }),
    );
  });

  test("are marked once, however often one asks", () => {
    const marked = markKeys({ "10": 1, a: 2 });
    expect(markKeys(marked)).toEqual(marked);
  });

  test("are left alone where none is delicate", () => {
    const members = { b: 1, a: 2 };
    expect(markKeys(members)).toBe(members);
  });
});
