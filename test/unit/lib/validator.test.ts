import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { ErrorDetail } from "../../../lib/errors.ts";
import { parseOrdered } from "../../../lib/ordered-json.ts";
import { compileCheck, isStorable, type Schema } from "../../../lib/validator.ts";

/** An object with one known member, `m`, of the schema. */
const withMember = (schema: Schema, more: Schema = {}): Schema => ({
  type: "object",
  additionalProperties: false,
  properties: { m: schema },
  ...more,
});

function detailsOf(schema: Schema, value: unknown): ErrorDetail[] {
  return compileCheck(schema)(value)?.details ?? [];
}

const text = { type: "string" } as const;

describe("a valid value", () => {
  test("has no fault", () => {
    const schema = withMember(
      { ...text, minLength: 1, notBlank: true, format: "storable" },
      { required: ["m"] },
    );
    expect(compileCheck(schema)({ m: "text" })).toBeUndefined();
  });
});

describe("a fault", () => {
  const faults: [string, Schema, unknown, string][] = [
    ["required", withMember(text, { required: ["m"] }), {}, "is required"],
    ["type string", withMember(text), { m: 1 }, "must be a string"],
    ["type string, null", withMember(text), { m: null }, "must be a string"],
    ["type boolean", withMember({ type: "boolean" }), { m: "true" }, "must be a boolean"],
    ["type number", withMember({ type: "number" }), { m: "1" }, "must be a number"],
    ["type integer", withMember({ type: "integer" }), { m: 1.5 }, "must be an integer"],
    ["type object", withMember({ type: "object" }), { m: [] }, "must be an object"],
    ["type array", withMember({ type: "array" }), { m: {} }, "must be an array"],
    ["enum", withMember({ ...text, enum: ["asc", "desc"] }), { m: "up" }, "must be one of asc, desc"],
    ["notBlank", withMember({ ...text, notBlank: true }), { m: " \t\u00a0" }, "must not be blank"],
    ["pattern", withMember({ ...text, pattern: "^a" }), { m: "b" }, "is malformed"],
    ["minLength 1", withMember({ ...text, minLength: 1 }), { m: "" }, "must not be empty"],
    ["minLength", withMember({ ...text, minLength: 20 }), { m: "a" }, "must have at least 20 characters"],
    ["maxLength", withMember({ ...text, maxLength: 2 }), { m: "abc" }, "must have at most 2 characters"],
    ["maxLength 1", withMember({ ...text, maxLength: 1 }), { m: "abc" }, "must have at most 1 character"],
    ["minItems", withMember({ type: "array", minItems: 1 }), { m: [] }, "must not be empty"],
    ["maxItems", withMember({ type: "array", maxItems: 2 }), { m: [1, 2, 3] }, "must have at most 2 items"],
    [
      "maxProperties",
      withMember({ type: "object", maxProperties: 1 }),
      { m: { a: 1, b: 2 } },
      "must have at most 1 member",
    ],
    ["minimum", withMember({ type: "integer", minimum: 1 }), { m: 0 }, "must be 1 or more"],
    ["maximum", withMember({ type: "integer", maximum: 9 }), { m: 10 }, "must be 9 or less"],
    [
      "U+0000",
      withMember({ ...text, format: "storable" }),
      { m: "a\u0000" },
      "must not have U+0000 or half of a surrogate pair",
    ],
    [
      "lone surrogate",
      withMember({ ...text, format: "storable" }),
      { m: "\ud83d" },
      "must not have U+0000 or half of a surrogate pair",
    ],
  ];

  test.each(faults)("of %s says what is wrong, and where", (_, schema, value, message) => {
    const error = compileCheck(schema)(value);
    expect(error).toMatchObject({
      errorCode: "invalid_request",
      message: `The request is not valid: m ${message}.`,
      details: [{ path: "m", message }],
    });
  });

  test("of an unknown member names the member", () => {
    expect(detailsOf(withMember(text), { other: 1 })).toEqual([
      { path: "other", message: "is not known here" },
    ]);
  });

  test("of the whole value has an empty path and speaks of the body", () => {
    for (const value of [[], "text", 1, null, true]) {
      expect(compileCheck(withMember(text))(value)).toMatchObject({
        code: 400,
        message: "The request is not valid: the body must be an object.",
        details: [{ path: "", message: "must be an object" }],
      });
    }
  });

  test("deep inside has the path of the contract, as in records.3.name", () => {
    const list = withMember({ type: "array", items: withMember(text, { required: ["m"] }) });
    expect(detailsOf(list, { m: [{ m: "a" }, { m: "b" }, {}, { m: 4 }] })).toEqual([
      { path: "m.2.m", message: "is required" },
      { path: "m.3.m", message: "must be a string" },
    ]);
  });

  test("in a member whose name has slashes and tildes shows the name as it is", () => {
    const open = { type: "object", additionalProperties: text };
    fc.assert(
      fc.property(fc.stringMatching(/^[a-z/~01 ]{1,8}$/), (name) => {
        fc.pre(!/^\d+$/.test(name));
        expect(detailsOf(open, { [name]: 1 })).toEqual([{ path: name, message: "must be a string" }]);
      }),
    );
  });

  test("is told once, the type first, where a member breaks several rules", () => {
    const schema = withMember({ ...text, enum: ["asc", "desc"] });
    expect(detailsOf(schema, { m: 5 })).toEqual([{ path: "m", message: "must be a string" }]);
  });

  test("never carries the value that is at fault", () => {
    const error = compileCheck(withMember({ ...text, maxLength: 3 }))({ m: "hunter2" });
    expect(JSON.stringify([error?.message, error?.data])).not.toContain("hunter2");
  });

  test("counts characters, not UTF-16 units", () => {
    expect(detailsOf(withMember({ ...text, maxLength: 2 }), { m: "😀😀" })).toEqual([]);
    expect(detailsOf(withMember({ ...text, maxLength: 2 }), { m: "😀😀😀" })).toHaveLength(1);
  });
});

describe("a fault that the schema calls semantic", () => {
  const name = { ...text, minLength: 1, maxLength: 5, notBlank: true, semantic: ["minLength", "notBlank"] };
  const check = compileCheck({
    type: "object",
    additionalProperties: false,
    required: ["name"],
    properties: { name, tags: { type: "array", minItems: 1, items: text, semantic: ["minItems"] } },
  });

  test.each([
    ["an empty text", { name: "" }, 422],
    ["a blank text", { name: "  " }, 422],
    ["an empty list", { name: "a", tags: [] }, 422],
    ["a missing text", {}, 400],
    ["a null", { name: null }, 400],
    ["a number", { name: 5 }, 400],
    ["too long a text", { name: "abcdef" }, 400],
    ["a list of numbers", { name: "a", tags: [1] }, 400],
    ["an unknown member beside an empty text", { name: "", other: 1 }, 400],
    ["too long a text beside an empty list", { name: "abcdef", tags: [] }, 400],
  ])("tells 422 from 400: %s", (_, value, status) => {
    const error = check(value);
    expect([error?.code, error?.errorCode]).toEqual(
      status === 422 ? [422, "unprocessable"] : [400, "invalid_request"],
    );
  });

  test("is not mentioned where the value is malformed as well", () => {
    expect(check({ name: "", other: 1 })?.details).toEqual([{ path: "other", message: "is not known here" }]);
  });

  test("covers the keywords that it lists and no others, of its own schema and no other", () => {
    const values = { type: "object", additionalProperties: { ...text, maxLength: 2, semantic: ["type"] } };
    expect(compileCheck(values)({ a: 1 })?.code).toBe(422);
    expect(compileCheck(values)({ a: "abc" })?.code).toBe(400);
    expect(compileCheck(values)("no object")?.code).toBe(400);
  });
});

describe("what many faults cost", () => {
  const list = withMember({ type: "array", items: { ...text, minLength: 1, semantic: ["minLength"] } });

  test("a small value gets all of them listed, up to twenty", () => {
    expect(detailsOf(list, { m: [1, "a", 2] }).map(({ path }) => path)).toEqual(["m.0", "m.2"]);
    expect(detailsOf(list, { m: Array(20).fill(1) })).toHaveLength(20);
    expect(detailsOf(list, { m: Array(1_000).fill(1) })).toHaveLength(20);
  });

  test("the twenty never crowd out the one that makes it a 400", () => {
    expect(compileCheck(list)({ m: [...Array(100).fill(""), 1] })).toMatchObject({
      code: 400,
      details: [{ path: "m.100", message: "must be a string" }],
    });
  });

  test("a huge value gets its first one, and is looked at no further", () => {
    const members = Object.fromEntries(Array.from({ length: 200_000 }, (_, index) => [`k${index}`, 1]));
    expect(detailsOf(withMember(text), members)).toEqual([{ path: "k0", message: "is not known here" }]);
    expect(detailsOf(list, { m: Array(200_000).fill(1) })).toEqual([
      { path: "m.0", message: "must be a string" },
    ]);
    expect(detailsOf(list, { m: { deep: [members] } })).toEqual([{ path: "m", message: "must be an array" }]);
  });

  test("a value nested more deeply than any stack is refused like any other", () => {
    const depth = 200_000;
    const nested: unknown = JSON.parse(`{"m":${"[".repeat(depth)}${"]".repeat(depth)}}`);
    expect(detailsOf(withMember(text), nested)).toEqual([{ path: "m", message: "must be a string" }]);
  });
});

describe("keys that carry the order mark", () => {
  const fields = {
    type: "object",
    additionalProperties: text,
    propertyNames: { minLength: 1, maxKeyLength: 2, format: "storableKey" },
  };

  test("are judged and shown without it", () => {
    expect(detailsOf(fields, parseOrdered('{"10":"a","7":"b"}'))).toEqual([]);
    expect(detailsOf(fields, parseOrdered('{"10":1}'))).toEqual([
      { path: "10", message: "must be a string" },
    ]);
    expect(detailsOf(withMember(text), parseOrdered('{"10":1}'))).toEqual([
      { path: "10", message: "is not known here" },
    ]);
  });

  test("may be as long as others", () => {
    expect(detailsOf(fields, parseOrdered('{"99":"a"}'))).toEqual([]);
    expect(detailsOf(fields, parseOrdered('{"100":"a"}'))).toEqual([
      { path: "100", message: "must have at most 2 characters" },
    ]);
  });

  test("may not be imitated by a client", () => {
    for (const written of ['{"\\u000010":"a"}', '{"\\u0000a":"a"}', '{"a\\u0000":"a"}', '{"\\u0000":"a"}']) {
      const details = detailsOf(fields, parseOrdered(written));
      expect(details.map(({ message }) => message)).toContain(
        "must not have U+0000 or half of a surrogate pair",
      );
    }
  });

  test.each([
    ['{"":"a"}', "", "must not be empty"],
    ['{"abc":"a"}', "abc", "must have at most 2 characters"],
    ['{"\\ud83d":"a"}', "\ud83d", "must not have U+0000 or half of a surrogate pair"],
  ])("%s: a key at fault is named, once", (written, path, message) => {
    expect(detailsOf(fields, parseOrdered(written))).toEqual([{ path, message }]);
  });
});

describe("a member named __proto__", () => {
  const check = compileCheck(withMember(text, { required: ["m"] }));

  test("is a member like any other, whether parsed here or elsewhere", () => {
    for (const value of [parseOrdered('{"m":"a","__proto__":{}}'), JSON.parse('{"m":"a","__proto__":{}}')]) {
      expect(check(value)?.details).toEqual([{ path: "__proto__", message: "is not known here" }]);
    }
  });

  test("supplies nothing that is missing", () => {
    for (const value of [parseOrdered('{"__proto__":{"m":"a"}}'), JSON.parse('{"__proto__":{"m":"a"}}')]) {
      expect(check(value)?.details).toContainEqual({ path: "m", message: "is required" });
    }
  });

  test("nor does the prototype of the value, or what all objects inherit", () => {
    expect(check(Object.create({ m: "a" }))?.details).toEqual([{ path: "m", message: "is required" }]);
    const inherited = compileCheck({ type: "object", required: ["toString"], properties: { toString: {} } });
    expect(inherited({})?.details).toEqual([{ path: "toString", message: "is required" }]);
  });
});

describe("a text can be stored", () => {
  test("where it is well formed and has no U+0000, and only there", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (value) => {
        expect(isStorable(value)).toBe(!value.includes("\u0000"));
        expect(isStorable(`${value}\u0000`)).toBe(false);
        expect(isStorable(`${value}\ud800`)).toBe(false);
      }),
    );
  });
});
