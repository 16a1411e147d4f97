import {
  type AnySuccess,
  type Area,
  bodyEndpointsOf,
  type Refusal,
  type RefusedRow,
  type RequestParts,
  rolesAt,
} from "../scenario.ts";

const notFound: Refusal = { status: 404, code: "not_found" };
const wrongMethod: Refusal = { status: 405, code: "method_not_allowed" };
const unauthorized: Refusal = { status: 401, code: "unauthorized" };
const forbidden: Refusal = { status: 403, code: "forbidden" };
const tooLarge: Refusal = { status: 413, code: "payload_too_large" };
const wrongType: Refusal = { status: 415, code: "unsupported_media_type" };
const invalidJson: Refusal = { status: 400, code: "invalid_json" };

const text = { "Content-Type": "text/plain" };

/** A parameter that no list knows, and no path that takes one. */
export const badQuery = "nosuch=1";

interface Conflict {
  readonly why: string;
  readonly change: Partial<RequestParts>;
  readonly expected: Refusal;
}

/** Two or more things wrong at once, at any endpoint: the one that is judged first is told. */
const everywhere = (path: string): readonly Conflict[] => [
  {
    why: "a path that there is not, without a key",
    change: { path: "/v1/nosuch", as: "nobody" },
    expected: notFound,
  },
  {
    why: "a path that there is not, in plain text",
    change: { path: path.replace("/v1/", "/v2/"), body: "{", headers: text },
    expected: notFound,
  },
  {
    why: "a slash too many, without a key",
    change: { path: `${path}/`, as: "nobody" },
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
    why: "without a key, for an item that there is not",
    change: { as: "nobody", id: "nosuch" },
    expected: unauthorized,
  },
];

/** The same, where there is a body. */
const withBody = (maxBodyBytes: number): readonly Conflict[] => {
  const large = "{".padEnd(maxBodyBytes + 1);
  return [
    {
      why: "without a key, in plain text",
      change: { as: "nobody", body: "{", headers: text },
      expected: unauthorized,
    },
    { why: "without a key, no JSON", change: { as: "stranger", body: "{" }, expected: unauthorized },
    { why: "without a key, too large", change: { as: "nobody", body: large }, expected: unauthorized },
    { why: "in plain text, no JSON", change: { body: "{", headers: text }, expected: wrongType },
    {
      why: "in plain text, a bad query",
      change: { body: "{}", query: badQuery, headers: text },
      expected: wrongType,
    },
    { why: "no JSON, a bad query", change: { body: "{", query: badQuery }, expected: invalidJson },
    {
      why: "no JSON, for an item that there is not",
      change: { body: "{", id: "nosuch" },
      expected: invalidJson,
    },
    { why: "too large, in plain text", change: { body: large, headers: text }, expected: tooLarge },
    { why: "too large, no JSON, a bad query", change: { body: large, query: badQuery }, expected: tooLarge },
  ];
};

/** Who may not do it is told nothing of what else is wrong. */
const byRole = (role: "viewer" | "editor" | "admin", maxBodyBytes: number | undefined) => {
  const conflicts: readonly Omit<Conflict, "expected">[] = [
    { why: "a bad query", change: { query: badQuery } },
    { why: "for an item that there is not", change: { id: "nosuch" } },
    ...(maxBodyBytes === undefined
      ? []
      : [
          { why: "in plain text", change: { body: "{", headers: text } },
          { why: "no JSON", change: { body: "{" } },
          { why: "too large", change: { body: "{".padEnd(maxBodyBytes + 1) } },
        ]),
  ];
  return conflicts.map(
    ({ why, change }): Conflict => ({
      why: `by the role ${role}, ${why}`,
      change: { as: role, ...change },
      expected: forbidden,
    }),
  );
};

/** What is judged first, up to where an action looks at its members. */
export function orderRows<Name extends string, World, Success extends AnySuccess>(
  area: Area<Name, World, Success>,
): RefusedRow<Name, World>[] {
  const { names, endpoints } = area;
  const withBodies = new Set(bodyEndpointsOf(area));
  return names.flatMap((at) => {
    const path = at.slice(at.indexOf("/")).replace("/:id", "");
    const { maxBodyBytes = 0 } = endpoints[at];
    const hasBody = withBodies.has(at);
    // The one that may do the most of those who may not do this.
    const role = rolesAt(endpoints[at]).mayNot.at(-1);
    return [
      ...everywhere(path),
      ...(hasBody ? withBody(maxBodyBytes) : []),
      ...(role ? byRole(role, hasBody ? maxBodyBytes : undefined) : []),
    ].map((conflict) => ({ at, ...conflict }));
  });
}
