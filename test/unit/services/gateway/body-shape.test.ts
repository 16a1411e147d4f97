import { describe, expect, test } from "@jest/globals";
import { measureBody } from "../../../../services/gateway/body-shape.ts";

const measure = (text: string) => measureBody(Buffer.from(text));

describe("a body is measured as", () => {
  test.each([
    ["{}", 1, 1],
    ['{"a":1,"b":[1,2,3]}', 5, 2],
    ['{"a":"[{,\\"[{,"}', 1, 1],
    ['{"a\\\\":[[[]]]}', 4, 4],
    ['{"é":"日本,"}', 1, 1],
    ['"never closed [,', 0, 0],
    ["[".repeat(1_000), 1_000, 1_000],
    ["", 0, 0],
  ])("%s", (text, values, depth) => {
    expect(measure(text)).toEqual({ values, depth });
  });
});
