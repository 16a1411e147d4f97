import type { Scenario } from "../support/scenario.ts";
import { created } from "./usual.ts";

/** Strings that are kept exactly as they were sent. */
const texts: readonly { readonly why: string; readonly text: string }[] = [
  { why: "spaces before and behind", text: "  a  " },
  { why: "a line break behind", text: "a\r\n" },
  { why: "quotes, backslashes and controls", text: `"'\\\\n\b\f\u007f\u2028` },
  { why: "composed and decomposed accents", text: "\u00e9e\u0301" },
  { why: "emoji beyond the first plane", text: "👨‍👩‍👧🏿🇩🇪" },
  { why: "noncharacters", text: "\uffff\ufffe\u{10ffff}" },
  { why: "a text direction", text: "\u202eabc\u200f" },
  { why: "SQL", text: "'); DROP TABLE records; --" },
  { why: "markup", text: "<script>alert(1)</script>" },
];

/** The same text wherever a record has text. */
const everywhere = (text: string) => ({
  name: text,
  type: text,
  fields: { [text]: text },
  tags: [text, text],
});

const keptTexts: Scenario[] = texts.flatMap(({ why, text }): Scenario[] => [
  {
    at: "POST /v1/data",
    why,
    change: { body: everywhere(text) },
    expected: { status: 201, creates: [created(everywhere(text))] },
  },
  {
    at: "POST /v1/data/bulk-create",
    why,
    change: { body: { records: [everywhere(text), everywhere(`${text}b`)] } },
    expected: { status: 201, creates: [everywhere(text), everywhere(`${text}b`)].map(created) },
  },
  {
    at: "PATCH /v1/data/:id",
    why,
    change: { body: { name: text, fields: { [text]: text, size: text }, tags: [text] } },
    expected: {
      status: 200,
      updates: { name: text, fields: { colour: "red", size: text, [text]: text }, tags: [text] },
    },
  },
]);

/** Members that JavaScript would put into another order, take for a prototype, or know already. */
const delicate =
  '{"10":"a","b":"b","2":"c","__proto__":"d","constructor":"e","toString":"f","0":"h","-1":"i","status":"j"}';

const raw = (fields: string) => `{"name":"New","type":"note","fields":${fields}}`;

const keptKeys: Scenario[] = [
  {
    at: "POST /v1/data",
    why: "delicate keys, in their order",
    change: { body: raw(delicate) },
    expected: { status: 201, creates: [created({ fields: delicate })] },
  },
  {
    at: "POST /v1/data/bulk-create",
    why: "delicate keys, in their order",
    change: { body: `{"records":[${raw(delicate)},${raw('{"9":"a","1":"b"}')}]}` },
    expected: {
      status: 201,
      creates: [created({ fields: delicate }), created({ fields: '{"9":"a","1":"b"}' })],
    },
  },
  {
    at: "PATCH /v1/data/:id",
    why: "delicate keys, behind those that the record has",
    change: { body: '{"fields":{"7":"a","colour":"blue","__proto__":"b","3":"c"}}' },
    expected: {
      status: 200,
      updates: { fields: '{"colour":"blue","size":"10 m","7":"a","__proto__":"b","3":"c"}' },
    },
  },
  {
    at: "POST /v1/data",
    why: "keys that are spelt with escapes",
    change: { body: raw('{"\\u0032":"a","1":"b","\\u005f_proto__":"c"}') },
    expected: { status: 201, creates: [created({ fields: '{"2":"a","1":"b","__proto__":"c"}' })] },
  },
];

const empties: Scenario[] = [
  {
    at: "POST /v1/data",
    why: "empty fields and tags, and an empty value",
    change: { body: { name: "New", type: "note", fields: {}, tags: [] } },
    expected: { status: 201, creates: [created({})] },
  },
  {
    at: "POST /v1/data",
    why: "an empty value, a blank key and a blank tag",
    change: { body: { name: "New", type: "note", fields: { " ": "" }, tags: [" "] } },
    expected: { status: 201, creates: [created({ fields: { " ": "" }, tags: [" "] })] },
  },
  {
    at: "POST /v1/data/bulk-create",
    why: "one record",
    change: { body: { records: [{ name: "New", type: "note" }] } },
    expected: { status: 201, creates: [created({})] },
  },
  {
    at: "PATCH /v1/data/:id",
    why: "an empty object, which changes nothing",
    change: { body: {} },
    expected: { status: 200 },
  },
  {
    at: "PATCH /v1/data/:id",
    why: "empty fields, which keep the others",
    change: { body: { fields: {} } },
    expected: { status: 200, updates: {} },
  },
  {
    at: "PATCH /v1/data/:id",
    why: "empty tags, which replace the others",
    change: { body: { tags: [] } },
    expected: { status: 200, updates: { tags: [] } },
  },
  {
    at: "PATCH /v1/data/:id",
    why: "an empty value, which is no removal",
    change: { body: { fields: { colour: "" } } },
    expected: { status: 200, updates: { fields: { colour: "", size: "10 m" } } },
  },
];

const statuses: Scenario[] = [
  ...["active", "archived", "draft"].map(
    (status): Scenario => ({
      at: "PATCH /v1/data/:id",
      why: `the status ${status}`,
      change: { body: { status } },
      expected: { status: 200, updates: { status } },
    }),
  ),
  {
    at: "PATCH /v1/data/:id",
    why: "a field called status, which is no status",
    change: { body: { fields: { status: "lost" } } },
    expected: { status: 200, updates: { fields: { colour: "red", size: "10 m", status: "lost" } } },
  },
  {
    at: "PATCH /v1/data/:id",
    why: "everything at once",
    change: { body: { name: "B", status: "draft", fields: { size: "2 m", age: "1" }, tags: ["z"] } },
    expected: {
      status: 200,
      updates: {
        name: "B",
        status: "draft",
        fields: { colour: "red", size: "2 m", age: "1" },
        tags: ["z"],
      },
    },
  },
];

/** What is written is what was sent. */
export const keptRows: readonly Scenario[] = [...keptTexts, ...keptKeys, ...empties, ...statuses];
