import { expect, test } from "@jest/globals";
import { actionHelp } from "../../../admin/action-help.ts";

const rows = (schema?: object) => actionHelp("things.make", schema === undefined ? {} : { schema });

test("the help of an action names its members as they are typed, with types and what is required", () => {
  const schema = {
    type: "object",
    required: ["name", "place"],
    properties: {
      name: { type: "string" },
      count: { type: ["integer", "null"] },
      isNew: { type: "boolean" },
      status: { type: "string", enum: ["on", "off"] },
      tags: { type: "array", items: { type: "string", enum: ["a", "b"] } },
      parts: { type: "array", items: { type: "object" } },
      fields: { type: "object", additionalProperties: { type: "string" } },
      config: { type: "object" },
      place: {
        type: "object",
        required: ["street"],
        properties: { street: { type: "string" }, floor: { type: "number" } },
      },
    },
  };
  expect(rows(schema).split("\n")).toEqual([
    "things.make",
    "",
    "  --name <text>              required",
    "  --count <whole number>",
    "  --isNew <true or false>",
    "  --status <text>            one of on, off",
    "  --tags <text>              may be repeated; one of a, b",
    "  --parts <JSON object>      may be repeated",
    "  --fields.<member> <text>",
    "  --config.<member> <value>",
    "  --place.street <text>      required",
    "  --place.floor <number>",
  ]);
});

test.each([
  ["declares nothing", undefined, "things.make\n\nIts service declares no members."],
  ["takes nothing", { type: "object", properties: {} }, "things.make\n\nIt takes no members."],
])("the help of an action that %s says so", (_case, schema, page) => {
  expect(rows(schema)).toBe(page);
});
