import { badQuery } from "../../scenarios/rows/order.ts";
import type { Refusal } from "../../scenarios/scenario.ts";
import type { Scenario } from "../support/scenario.ts";

const notFound: Refusal = { status: 404, code: "not_found" };
const invalidRequest = (paths: readonly string[]): Refusal => ({
  status: 400,
  code: "invalid_request",
  paths,
});
const unprocessable = (paths: readonly string[]): Refusal => ({ status: 422, code: "unprocessable", paths });

/** What is judged first of what an action looks at: what the record is like is asked last. */
export const orderRows: readonly Scenario[] = [
  {
    at: "GET /v1/data/:id",
    why: "a bad query, for a record that there is not",
    change: { id: "nosuch", query: badQuery },
    expected: invalidRequest(["nosuch"]),
  },
  {
    at: "DELETE /v1/data/:id",
    why: "a bad query, for a record that there is not",
    change: { id: "nosuch", query: badQuery },
    expected: invalidRequest(["nosuch"]),
  },
  {
    at: "PATCH /v1/data/:id",
    why: "a wrong type, for a record that there is not",
    change: { id: "nosuch", body: { name: 5 } },
    expected: invalidRequest(["name"]),
  },
  {
    at: "PATCH /v1/data/:id",
    why: "a blank name, for another workspace's record",
    change: ({ theirs }) => ({ id: theirs, body: { name: " " } }),
    expected: unprocessable(["name"]),
  },
  {
    at: "PATCH /v1/data/:id",
    why: "more than 64 KiB, for a record that there is not",
    change: { id: "nosuch", body: { fields: sevenFields() } },
    expected: { ...invalidRequest([""]), says: ["65,536"] },
  },
  {
    at: "PATCH /v1/data/:id",
    why: "nothing to change, for a record that there is not",
    change: { id: "nosuch", body: {} },
    expected: notFound,
  },
  {
    at: "POST /v1/data",
    why: "a blank name, a field that is no string, and a tag that is none",
    change: { body: { name: "", type: "note", fields: { size: 5 }, tags: [5] } },
    expected: invalidRequest(["tags.0"]),
  },
  {
    at: "POST /v1/data",
    why: "a blank name and a field that is no string",
    change: { body: { name: "", type: "note", fields: { size: 5 } } },
    expected: unprocessable(["name", "fields.size"]),
  },
  {
    at: "POST /v1/data/bulk-create",
    why: "an empty list and an unknown member",
    change: { body: { records: [], nosuch: 1 } },
    expected: invalidRequest(["nosuch"]),
  },
  {
    at: "DELETE /v1/data/bulk-delete",
    why: "an empty list and an unknown member",
    change: { body: { ids: [], nosuch: 1 } },
    expected: invalidRequest(["nosuch"]),
  },
];

function sevenFields(): Record<string, string> {
  return Object.fromEntries(Array.from({ length: 7 }, (_, at) => [`field ${at}`, ".".repeat(10_000)]));
}
