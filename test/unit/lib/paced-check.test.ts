import { describe, expect, test } from "@jest/globals";
import { compilePacedCheck } from "../../../lib/paced-check.ts";
import { compileCheck } from "../../../lib/validator.ts";
import { bulkCreateSchema, createRecordSchema } from "../../../services/records/record.schema.ts";

const check = compilePacedCheck(bulkCreateSchema);
const valid = { name: "A", type: "note" };
const blank = { name: " ", type: "note" };

describe("a check of a long list", () => {
  test("accepts what is valid", async () => {
    expect(await check({ records: [valid, valid] })).toBeUndefined();
  });

  test.each([
    ["a blank name", { records: [valid, blank] }, 422, "records.1.name"],
    ["an item that is no object", { records: [valid, "x"] }, 400, "records.1"],
    ["an empty list", { records: [] }, 422, "records"],
    ["no list", { records: {} }, 400, "records"],
    ["an unknown member beside the list", { records: [valid], more: 1 }, 400, "more"],
    ["too long a list", { records: Array(1_001).fill(valid) }, 400, "records"],
    ["nothing", null, 400, ""],
  ])("names %s", async (_what, value, status, path) => {
    const fault = await check(value);
    expect(fault?.code).toBe(status);
    expect(fault?.details.map((detail) => detail.path)).toEqual([path]);
  });

  test("is 400 where one item is, however many others are 422", async () => {
    const fault = await check({ records: [...Array(100).fill(blank), { name: "A" }] });
    expect(fault?.errorCode).toBe("invalid_request");
    expect(fault?.details).toEqual([{ path: "records.100.type", message: "is required" }]);
  });

  test("lists no more than twenty faults", async () => {
    const fault = await check({ records: Array(1_000).fill({}) });
    expect(fault?.details).toHaveLength(20);
  });

  test("says of one item what the whole schema would say", async () => {
    const item = { name: 1, fields: { a: 2 }, nonsense: true };
    const fault = await check({ records: [item] });
    expect(fault?.details).toEqual(compileCheck(bulkCreateSchema)({ records: [item] })?.details);
  });

  test("lets others have their turn", async () => {
    let turns = 0;
    const count = () => {
      turns += 1;
      timer = setImmediate(count);
    };
    let timer = setImmediate(count);
    const fields = Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`key${at}`, "x".repeat(300)]));
    await check({ records: Array.from({ length: 1_000 }, () => ({ ...valid, fields })) });
    clearImmediate(timer);
    expect(turns).toBeGreaterThan(0);
  });
});

test("a schema without a long list is checked at once", () => {
  expect(compilePacedCheck(createRecordSchema)(valid)).toBeUndefined();
});
