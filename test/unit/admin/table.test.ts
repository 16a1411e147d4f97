import { expect, test } from "@jest/globals";
import { table } from "../../../admin/table.ts";

test("cells stand beneath each other, two spaces apart, without spaces at the end", () => {
  const rows = [
    ["ID", "NAME"],
    ["key_12", "x"],
    ["k", ""],
  ];
  expect(table(rows)).toEqual(["ID      NAME", "key_12  x", "k"]);
});

test("no rows are no lines", () => {
  expect(table([])).toEqual([]);
});

test("a name cannot steer the terminal, break the line or turn its direction", () => {
  expect(table([["\u001b[2Jx\ny\u2028z\u202eü😀"]])).toEqual(["?[2Jx?y?z?ü😀"]);
});
