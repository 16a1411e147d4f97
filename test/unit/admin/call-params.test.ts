import { describe, expect, test } from "@jest/globals";
import { readParams } from "../../../admin/call-params.ts";
import { UsageError } from "../../../admin/command-line.ts";
import { stringifyOrdered } from "../../../lib/ordered-json.ts";
import { createRecordSchema, listRecordsSchema } from "../../../services/records/record.schema.ts";

const schema = {
  type: "object",
  properties: {
    text: { type: "string" },
    whole: { type: "integer" },
    number: { type: "number" },
    flag: { type: "boolean" },
    texts: { type: "array", items: { type: "string" } },
    wholes: { type: "array", items: { type: "integer" } },
    things: { type: "array", items: { type: "object" } },
    maybe: { type: ["string", "null"] },
    free: { type: "object" },
    inner: { type: "object", properties: { whole: { type: "integer" }, deep: { type: "object" } } },
    labels: { type: "object", additionalProperties: { type: "string" } },
    choice: { enum: ["a", "b"] },
  },
} as const;

describe("the params of a typed call", () => {
  test.each([
    [[], {}],
    [["--text", "007"], { text: "007" }],
    [["--text=42"], { text: "42" }],
    [["--text", "true"], { text: "true" }],
    [["--text", "0x1f"], { text: "0x1f" }],
    [["--text", "{not json"], { text: "{not json" }],
    [["--text="], { text: "" }],
    [["--text", ""], { text: "" }],
    [["--text", "-1"], { text: "-1" }],
    [["--text", "--"], { text: "--" }],
    [["--text=--dashed"], { text: "--dashed" }],
    [["--maybe", "null"], { maybe: "null" }],
    [["--whole", "42"], { whole: 42 }],
    [["--whole", "-7"], { whole: -7 }],
    [["--whole", "007"], { whole: "007" }],
    [["--whole", "many"], { whole: "many" }],
    [["--number", "1.5"], { number: 1.5 }],
    [["--flag"], { flag: true }],
    [["--flag", "--whole", "1"], { flag: true, whole: 1 }],
    [["--flag", "false"], { flag: false }],
    [["--texts", "1"], { texts: ["1"] }],
    [["--texts", "a", "--texts", "b,c"], { texts: ["a", "b,c"] }],
    [["--texts", '["a", "b"]', "--texts", "c"], { texts: ["a", "b", "c"] }],
    [["--wholes", "1", "--wholes", "2"], { wholes: [1, 2] }],
    [["--things", '{"a": 1}'], { things: [{ a: 1 }] }],
    [["--labels.owner", "Ana", "--labels.10", "42"], { labels: { owner: "Ana", "10": "42" } }],
    [["--labels.a.b", "c"], { labels: { "a.b": "c" } }],
    [["--inner.whole", "3", "--inner.deep.x.y", "4"], { inner: { whole: 3, deep: { x: { y: 4 } } } }],
    [["--free", '{"a": [1, "2"]}', "--free.b", "x"], { free: { a: [1, "2"], b: "x" } }],
    [["--choice", "a"], { choice: "a" }],
    [["--unknown", "5"], { unknown: 5 }],
    [["--unknown", "word"], { unknown: "word" }],
    [['{"text": "A", "texts": ["a"]}'], { text: "A", texts: ["a"] }],
    [['{"text": "A"}', "--texts", "b"], { text: "A", texts: ["b"] }],
  ])("%j are what the schema takes them for", (words, params) => {
    const read = readParams(words, schema);
    expect(JSON.parse(stringifyOrdered(read))).toEqual(params);
  });

  test("keep the order and the spelling of keys that JavaScript would change", () => {
    const words = ["--labels.b", "1", "--labels.10", "2", "--labels.__proto__", "3", "--__proto__.x", "4"];
    expect(stringifyOrdered(readParams(words, schema))).toBe(
      '{"labels":{"b":"1","10":"2","__proto__":"3"},"__proto__":{"x":4}}',
    );
    expect(
      stringifyOrdered(readParams(['{"labels": {"b": "1", "10": "2", "__proto__": "3"}}'], schema)),
    ).toBe('{"labels":{"b":"1","10":"2","__proto__":"3"}}');
    expect(Object.getPrototypeOf(readParams(words, schema))).toBe(Object.prototype);
  });

  test("without a schema have numbers, true and false as such", () => {
    expect(readParams(["--a", "1", "--b", "true", "--c.d", "x", "--e"])).toEqual({
      a: 1,
      b: true,
      c: { d: "x" },
      e: true,
    });
  });

  test("of real actions need no quotes to be typed rightly", () => {
    const create = ["--name", "42", "--type", "note", "--tags", "1", "--fields.owner", "7"];
    expect(readParams(create, createRecordSchema)).toEqual({
      name: "42",
      type: "note",
      tags: ["1"],
      fields: { owner: "7" },
    });
    expect(readParams(["--per_page", "2", "--q", "2024"], listRecordsSchema)).toEqual({
      per_page: 2,
      q: "2024",
    });
  });

  test.each([
    [["word"], /^"word" belongs to no member\./],
    [["--text", "a", "b"], /^"b" belongs to no member\./],
    [["--text", "a", '{"b": 1}'], /belongs to no member\./],
    [["-x", "1"], /^"-x" belongs to no member\./],
    [["--text"], /^--text has no value; an empty one is typed --text=""/],
    [["--labels.a", "1", "--labels.b"], /^--labels\.b has no value/],
    [["--text", "a", "--text", "b"], /^--text is given twice\.$/],
    [["--inner.whole", "1", "--inner.whole", "2"], /^--inner\.whole is given twice\.$/],
    [["--free", "1", "--free.a", "2"], /^--free is given twice\.$/],
    [["{broken}"], /^This is no JSON: /],
    [["--things", "{broken"], /^This is no JSON: /],
  ])("%j are refused in one sentence", (words, sentence) => {
    expect(() => readParams(words, schema)).toThrow(UsageError);
    expect(() => readParams(words, schema)).toThrow(sentence);
  });
});
