import { bodyEndpoints, endpointNames, endpointOf } from "../support/endpoints.ts";
import type { Refusal, RequestParts, Scenario } from "../support/scenario.ts";

const notFound: Refusal = { status: 404, code: "not_found" };
const wrongMethod: Refusal = { status: 405, code: "method_not_allowed" };
const unauthorized: Refusal = { status: 401, code: "unauthorized" };
const forbidden: Refusal = { status: 403, code: "forbidden" };
const tooLarge: Refusal = { status: 413, code: "payload_too_large" };
const wrongType: Refusal = { status: 415, code: "unsupported_media_type" };
const invalidJson: Refusal = { status: 400, code: "invalid_json" };

const text = { "Content-Type": "text/plain" };
const badQuery = "nosuch=1";

interface Conflict {
  readonly why: string;
  readonly change: Partial<RequestParts>;
  readonly expected: Refusal;
}

/** Two or more things wrong at once, at any endpoint: the one that is judged first is told. */
const everywhere: readonly Conflict[] = [
  {
    why: "a path that there is not, without a key",
    change: { path: "/v1/nosuch", as: "nobody" },
    expected: notFound,
  },
  {
    why: "a path that there is not, in plain text",
    change: { path: "/v2/data", body: "{", headers: text },
    expected: notFound,
  },
  {
    why: "a slash too many, without a key",
    change: { path: "/v1/data/", as: "nobody" },
    expected: notFound,
  },
  { why: "another method, without a key", change: { method: "PUT", as: "nobody" }, expected: wrongMethod },
  { why: "another method, by a viewer", change: { method: "PUT", as: "viewer" }, expected: wrongMethod },
  {
    why: "without a key, with a bad query",
    change: { as: "nobody", query: badQuery },
    expected: unauthorized,
  },
  {
    why: "without a key, for a record that there is not",
    change: { as: "nobody", id: "nosuch" },
    expected: unauthorized,
  },
];

/** The same, where there is a body. */
const withBody: readonly Conflict[] = [
  {
    why: "without a key, in plain text",
    change: { as: "nobody", body: "{", headers: text },
    expected: unauthorized,
  },
  { why: "without a key, no JSON", change: { as: "stranger", body: "{" }, expected: unauthorized },
  {
    why: "by a viewer, in plain text",
    change: { as: "viewer", body: "{", headers: text },
    expected: forbidden,
  },
  { why: "by a viewer, no JSON", change: { as: "viewer", body: "{" }, expected: forbidden },
  { why: "by a viewer, a bad query", change: { as: "viewer", query: badQuery }, expected: forbidden },
  {
    why: "by a viewer, for a record that there is not",
    change: { as: "viewer", id: "nosuch" },
    expected: forbidden,
  },
  { why: "in plain text, no JSON", change: { body: "{", headers: text }, expected: wrongType },
  {
    why: "in plain text, a bad query",
    change: { body: "{}", query: badQuery, headers: text },
    expected: wrongType,
  },
  { why: "no JSON, a bad query", change: { body: "{", query: badQuery }, expected: invalidJson },
  {
    why: "no JSON, for a record that there is not",
    change: { body: "{", id: "nosuch" },
    expected: invalidJson,
  },
];

/** Bodies over the limit, which take some time to send. */
const large: Scenario[] = bodyEndpoints.flatMap((at) => {
  const body = "{".padEnd((endpointOf(at).maxBodyBytes ?? 0) + 1);
  return [
    { at, why: "without a key, too large", change: { as: "nobody", body }, expected: unauthorized },
    { at, why: "by a viewer, too large", change: { as: "viewer", body }, expected: forbidden },
    { at, why: "too large, in plain text", change: { body, headers: text }, expected: tooLarge },
    { at, why: "too large, no JSON, a bad query", change: { body, query: badQuery }, expected: tooLarge },
  ];
});

const invalidRequest = (paths: readonly string[]): Refusal => ({
  status: 400,
  code: "invalid_request",
  paths,
});
const unprocessable = (paths: readonly string[]): Refusal => ({ status: 422, code: "unprocessable", paths });

/** What the record is like is asked last. */
const validationFirst: Scenario[] = [
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
    at: "DELETE /v1/data/:id",
    why: "by a viewer, for a record that there is not",
    change: { as: "viewer", id: "nosuch" },
    expected: forbidden,
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

const at = (names: readonly Scenario["at"][], conflicts: readonly Conflict[]): Scenario[] =>
  names.flatMap((name) => conflicts.map((conflict) => ({ at: name, ...conflict })));

/** What is judged first. */
export const orderRows: readonly Scenario[] = [
  ...at(endpointNames, everywhere),
  ...at(bodyEndpoints, withBody),
  ...large,
  ...validationFirst,
];
