import { describe, expect, test } from "@jest/globals";
import { parseOrdered } from "../../../../lib/ordered-json.ts";
import { compileCheck } from "../../../../lib/validator.ts";
import {
  bulkCreateSchema,
  bulkRemoveSchema,
  createRecordSchema,
  listRecordsSchema,
  updateRecordSchema,
} from "../../../../services/records/record.schema.ts";

const checks = {
  create: compileCheck(createRecordSchema),
  update: compileCheck(updateRecordSchema),
  list: compileCheck(listRecordsSchema),
  bulkCreate: compileCheck(bulkCreateSchema),
  bulkRemove: compileCheck(bulkRemoveSchema),
};
type Kind = keyof typeof checks;

/** What is checked is what a client sent as JSON, so that keys such as `10` and `__proto__` come as they do. */
function judge(kind: Kind, params: unknown) {
  const fault = checks[kind](parseOrdered(JSON.stringify(params)));
  return fault && { code: fault.code, paths: fault.details.map(({ path }) => path), message: fault.message };
}

const record = { name: "Plan", type: "task" };
const id = "rec_1";
const bulkOf = (third: unknown) => ({ records: [record, record, record, third] });
const members = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, ""]));
const NUL = "\u0000";
const HALF = "\ud83d";

/** A line that says what is judged, however long it is. */
const titled = ([kind, params, path]: [Kind, unknown, string?]) => {
  const text = JSON.stringify(params);
  const title = text.length > 120 ? `${text.slice(0, 60)} … ${text.slice(-50)}` : text;
  return { kind, params, path, title };
};

describe("what is taken", () => {
  const taken: [Kind, unknown][] = [
    ["create", record],
    ["create", { ...record, fields: {}, tags: [] }],
    ["create", { name: "x".repeat(255), type: "x".repeat(64) }],
    ["create", { name: "😀".repeat(255), type: "😀".repeat(64) }],
    ["create", { ...record, name: " trailing ", type: "ＴＡＳＫ\u0001" }],
    ["create", { ...record, fields: members(100) }],
    ["create", { ...record, fields: { ["k".repeat(64)]: "x".repeat(10_000), ["😀".repeat(64)]: "" } }],
    ["create", { ...record, fields: { ["1".repeat(64)]: "", "0": "", constructor: "", " ": "" } }],
    ["create", { ...record, fields: JSON.parse('{"__proto__": "x"}') }],
    ["create", { ...record, tags: Array(50).fill("😀".repeat(64)) }],
    ["update", { id }],
    ["update", { id, name: "Plan", fields: { a: "" }, tags: [], status: "archived" }],
    ["list", {}],
    [
      "list",
      {
        type: "",
        status: "nosuch",
        page: 1,
        per_page: 1_000,
        sort: "name",
        order: "desc",
        q: "",
        cursor: "",
      },
    ],
    ["bulkCreate", { records: Array(1_000).fill(record) }],
    ["bulkRemove", { ids: Array(1_000).fill("") }],
  ];

  test.each(taken.map(titled))("$kind of $title", ({ kind, params }) => {
    expect(judge(kind, params)).toBeUndefined();
  });
});

describe("what is refused with 400", () => {
  const refused: [Kind, unknown, string][] = [
    ["create", { type: "task" }, "name"],
    ["create", { name: "Plan" }, "type"],
    ["create", { ...record, name: null }, "name"],
    ["create", { ...record, name: 7 }, "name"],
    ["create", { ...record, type: ["task"] }, "type"],
    ["create", { ...record, fields: [] }, "fields"],
    ["create", { ...record, fields: null }, "fields"],
    ["create", { ...record, tags: "t" }, "tags"],
    ["create", { ...record, tags: ["t", null] }, "tags.1"],
    ["create", { ...record, tags: [""] }, "tags.0"],
    ["create", { ...record, fields: { "": "x" } }, "fields."],
    ["create", { ...record, status: "active" }, "status"],
    ["create", { ...record, id }, "id"],
    ["create", JSON.parse('{"name":"Plan","type":"task","__proto__":{}}'), "__proto__"],
    ["create", { ...record, name: "x".repeat(256) }, "name"],
    ["create", { ...record, type: "x".repeat(65) }, "type"],
    ["create", { ...record, tags: Array(51).fill("t") }, "tags"],
    ["create", { ...record, tags: ["x".repeat(65)] }, "tags.0"],
    ["create", { ...record, fields: members(101) }, "fields"],
    ["create", { ...record, fields: { ["k".repeat(65)]: "x" } }, `fields.${"k".repeat(65)}`],
    ["create", { ...record, fields: { ["1".repeat(65)]: "x" } }, `fields.${"1".repeat(65)}`],
    ["create", { ...record, fields: { a: "x".repeat(10_001) } }, "fields.a"],
    ["create", { ...record, name: `a${NUL}` }, "name"],
    ["create", { ...record, type: HALF }, "type"],
    ["create", { ...record, tags: [NUL] }, "tags.0"],
    ["create", { ...record, fields: { a: HALF } }, "fields.a"],
    ["create", { ...record, fields: { [`a${NUL}`]: "" } }, `fields.a${NUL}`],
    ["create", { ...record, fields: { [HALF]: "" } }, `fields.${HALF}`],
    ["update", { id, type: "task" }, "type"],
    ["update", { id, status: null }, "status"],
    ["update", { id, status: 1 }, "status"],
    ["update", { id, name: null }, "name"],
    ["update", { id, fields: null }, "fields"],
    ["update", { id, tags: { "0": "t" } }, "tags"],
    ["update", { id, updated_at: "2031-01-01T00:00:00.000Z" }, "updated_at"],
    ["list", { page: 0 }, "page"],
    ["list", { page: -1 }, "page"],
    ["list", { page: 1.5 }, "page"],
    ["list", { per_page: 0 }, "per_page"],
    ["list", { sort: "nosuch" }, "sort"],
    ["list", { sort: "fields" }, "sort"],
    ["list", { order: "ASC" }, "order"],
    ["list", { limit: 5 }, "limit"],
    ["list", { q: NUL }, "q"],
    ["bulkCreate", {}, "records"],
    ["bulkCreate", { records: record }, "records"],
    ["bulkCreate", { records: Array(1_001).fill(record) }, "records"],
    ["bulkCreate", bulkOf({ name: "Plan" }), "records.3.type"],
    ["bulkCreate", bulkOf({ ...record, tags: [""] }), "records.3.tags.0"],
    ["bulkCreate", bulkOf(null), "records.3"],
    ["bulkRemove", { ids: Array(1_001).fill(id) }, "ids"],
    ["bulkRemove", { ids: [id, 7] }, "ids.1"],
    ["bulkRemove", { ids: [id], force: true }, "force"],
  ];

  test.each(refused.map(titled))("$kind of $title", ({ kind, params, path }) => {
    expect(judge(kind, params)).toMatchObject({ code: 400, paths: [path] });
  });
});

describe("what is refused with 422", () => {
  const refused: [Kind, unknown, string][] = [
    ["create", { ...record, name: " \t\u00a0\u3000" }, "name"],
    ["create", { ...record, type: "\n" }, "type"],
    ["create", { ...record, fields: { a: 7 } }, "fields.a"],
    ["create", { ...record, fields: { "10": null } }, "fields.10"],
    ["create", { ...record, fields: { a: { b: "c" } } }, "fields.a"],
    ["update", { id, name: " " }, "name"],
    ["update", { id, status: "deleted" }, "status"],
    ["update", { id, status: "" }, "status"],
    ["update", { id, fields: { a: false } }, "fields.a"],
    ["bulkCreate", { records: [] }, "records"],
    ["bulkCreate", bulkOf({ ...record, name: " " }), "records.3.name"],
    ["bulkCreate", bulkOf({ ...record, fields: { a: [] } }), "records.3.fields.a"],
    ["bulkRemove", { ids: [] }, "ids"],
  ];

  test.each(refused.map(titled))("$kind of $title", ({ kind, params, path }) => {
    expect(judge(kind, params)).toMatchObject({ code: 422, paths: [path] });
  });

  test.each(["name", "type"])("create with an empty %s", (member) => {
    const fault = judge("create", { ...record, [member]: "" });
    expect(fault?.code).toBe(422);
    expect(new Set(fault?.paths)).toEqual(new Set([member]));
  });
});

test("what is wrong in both ways is refused with 400", () => {
  expect(judge("create", { ...record, name: " ", tags: [""] })).toMatchObject({
    code: 400,
    paths: ["tags.0"],
  });
  expect(judge("update", { id, status: "deleted", nosuch: 1 })).toMatchObject({
    code: 400,
    paths: ["nosuch"],
  });
});

test.each([
  ["create", { ...record, name: "x".repeat(256) }, "255"],
  ["create", { ...record, type: "x".repeat(65) }, "64"],
  ["create", { ...record, tags: Array(51).fill("t") }, "50"],
  ["create", { ...record, tags: ["x".repeat(65)] }, "64"],
  ["create", { ...record, fields: members(101) }, "100"],
  ["create", { ...record, fields: { ["k".repeat(65)]: "x" } }, "64"],
  ["create", { ...record, fields: { a: "x".repeat(10_001) } }, /10,?000/],
  ["bulkCreate", { records: Array(1_001).fill(record) }, /1,?000/],
  ["bulkRemove", { ids: Array(1_001).fill(id) }, /1,?000/],
] as const)("the limit that %s has passed is in the message: %#", (kind, params, limit) => {
  expect(judge(kind, params)?.message).toMatch(limit);
});
