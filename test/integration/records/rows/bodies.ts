import { bodyEndpoints, type EndpointName, endpointOf, itemEndpoints } from "../support/endpoints.ts";
import type { Refusal, RequestParts, Scenario } from "../support/scenario.ts";
import type { World } from "../support/world.ts";
import { usual } from "./usual.ts";

interface BodyFault {
  readonly why: string;
  readonly change: Partial<RequestParts>;
  readonly expected: Refusal;
}

const invalidJson: Refusal = { status: 400, code: "invalid_json" };
const invalidRequest: Refusal = { status: 400, code: "invalid_request" };
const wrongType: Refusal = { status: 415, code: "unsupported_media_type", says: ["application/json"] };

/** What can be wrong with a body before its members are looked at. */
const bodyFaults: readonly BodyFault[] = [
  { why: "a body that ends too early", change: { body: '{"name": "A"' }, expected: invalidJson },
  { why: "a comma too many", change: { body: '{"name": "A",}' }, expected: invalidJson },
  { why: "a word in place of JSON", change: { body: "name" }, expected: invalidJson },
  { why: "NaN, which is no JSON", change: { body: '{"name": NaN}' }, expected: invalidJson },
  {
    why: "bytes that are no UTF-8",
    change: { body: Buffer.from([0x7b, 0xff, 0x7d]) },
    expected: invalidJson,
  },
  { why: "an array as the body", change: { body: "[]" }, expected: invalidRequest },
  { why: "a string as the body", change: { body: '"name"' }, expected: invalidRequest },
  { why: "a number as the body", change: { body: "1" }, expected: invalidRequest },
  { why: "null as the body", change: { body: "null" }, expected: invalidRequest },
  { why: "no body", change: { body: undefined }, expected: invalidRequest },
  { why: "an empty body", change: { body: "" }, expected: invalidRequest },
  { why: "a body of plain text", change: { headers: { "Content-Type": "text/plain" } }, expected: wrongType },
  {
    why: "a body of a form",
    change: { headers: { "Content-Type": "application/x-www-form-urlencoded" } },
    expected: wrongType,
  },
  {
    why: "a body in another charset",
    change: { headers: { "Content-Type": "application/json; charset=iso-8859-1" } },
    expected: wrongType,
  },
  { why: "a query", change: { query: "name=A" }, expected: { ...invalidRequest, paths: ["name"] } },
];

const refused: Scenario[] = bodyEndpoints.flatMap((at) => bodyFaults.map((fault) => ({ at, ...fault })));

/** The usual body with a member more. A key such as `__proto__` must not get lost on the way. */
const unknownMembers: Scenario[] = bodyEndpoints.flatMap((at) =>
  ["nosuch", "__proto__", "constructor", "0", "caller", "workspace_id", "created_at"].map((name) => ({
    at,
    why: `an unknown member ${name}`,
    change: (world) => ({
      body: JSON.stringify(endpointOf(at).body?.(world)).replace(/}$/, `,"${name}":{}}`),
    }),
    expected: { ...invalidRequest, paths: [name] },
  })),
);

/** The usual body, with blanks behind it up to so many bytes. */
function padded(at: EndpointName, bytes: number) {
  return (world: World) => ({ body: JSON.stringify(endpointOf(at).body?.(world)).padEnd(bytes) });
}

const sizes: Scenario[] = bodyEndpoints.flatMap((at) => {
  const { maxBodyBytes = 0 } = endpointOf(at);
  const limit = `${maxBodyBytes / 1024 ** 2} MiB`;
  return [
    { at, why: `a body of ${limit}`, change: padded(at, maxBodyBytes), expected: usual[at] },
    {
      at,
      why: `a body of a byte more than ${limit}`,
      change: padded(at, maxBodyBytes + 1),
      expected: { status: 413, code: "payload_too_large", says: [limit] },
    },
  ];
});

/** Those that take no body take nothing from the query either, but for the list. */
const queries: Scenario[] = itemEndpoints
  .filter((at) => endpointOf(at).body === undefined)
  .flatMap((at) =>
    ["nosuch", "id", "page"].map((name) => ({
      at,
      why: `the query parameter ${name}`,
      change: { query: `${name}=1` },
      expected: { ...invalidRequest, paths: [name] },
    })),
  );

/** Bodies as a whole, and queries where none belongs. */
export const bodyRows: readonly Scenario[] = [...refused, ...unknownMembers, ...sizes, ...queries];
