import {
  type AnyScenario,
  type AnySuccess,
  type Area,
  bodyEndpointsOf,
  itemEndpointsOf,
  type Refusal,
  type RefusedRow,
  type RequestParts,
} from "../scenario.ts";

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

const unknownNames = ["nosuch", "__proto__", "constructor", "0", "caller", "workspace_id", "created_at"];

/**
 * Bodies as a whole, and queries where none belongs.
 * @param unknown further members that no body of the area knows
 */
export function bodyRows<Name extends string, World, Success extends AnySuccess>(
  area: Area<Name, World, Success>,
  unknown: readonly string[] = [],
): AnyScenario<Name, World, Success, never>[] {
  const { endpoints, usual } = area;
  const bodyEndpoints = bodyEndpointsOf(area);
  const refused = bodyEndpoints.flatMap((at) => bodyFaults.map((fault) => ({ at, ...fault })));

  // The usual body with a member more. A key such as `__proto__` must not get lost on the way.
  const unknownMembers = bodyEndpoints.flatMap((at) =>
    [...unknownNames, ...unknown].map(
      (name): RefusedRow<Name, World> => ({
        at,
        why: `an unknown member ${name}`,
        change: (world) => ({
          body: JSON.stringify(endpoints[at].body?.(world)).replace(/}$/, `,"${name}":{}}`),
        }),
        expected: { ...invalidRequest, paths: [name] },
      }),
    ),
  );

  const sizes = bodyEndpoints.flatMap((at) => {
    const { maxBodyBytes = 0, body } = endpoints[at];
    const limit = `${maxBodyBytes / 1024 ** 2} MiB`;
    // The usual body, with blanks behind it up to so many bytes.
    const padded = (bytes: number) => (world: World) => ({
      body: JSON.stringify(body?.(world)).padEnd(bytes),
    });
    const tooLarge: RefusedRow<Name, World> = {
      at,
      why: `a body of a byte more than ${limit}`,
      change: padded(maxBodyBytes + 1),
      expected: { status: 413, code: "payload_too_large", says: [limit] },
    };
    const largest = { at, why: `a body of ${limit}`, change: padded(maxBodyBytes), expected: usual[at] };
    return [largest, tooLarge];
  });

  const queries = itemEndpointsOf(area)
    .filter((at) => endpoints[at].body === undefined)
    .flatMap((at) =>
      ["nosuch", "id", "page"].map(
        (name): RefusedRow<Name, World> => ({
          at,
          why: `the query parameter ${name}`,
          change: { query: `${name}=1` },
          expected: { ...invalidRequest, paths: [name] },
        }),
      ),
    );
  return [...refused, ...unknownMembers, ...sizes, ...queries];
}
