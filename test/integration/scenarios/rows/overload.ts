import {
  type AnySuccess,
  type Area,
  bodyEndpointsOf,
  type Refusal,
  type RefusedRow,
  type RequestParts,
  rolesAt,
} from "../scenario.ts";

const spent: Refusal = {
  status: 429,
  code: "rate_limited",
  says: ["1 requests"],
  headers: { "retry-after": /^[1-9]\d*$/, ratelimit: /^"default";r=0;t=\d+$/ },
};

const unavailable: Refusal = { status: 503, code: "unavailable", headers: { "retry-after": /^[1-9]\d*$/ } };
const unknownKey: Refusal = { status: 401, code: "unauthorized" };

interface OverloadRows<Name extends string, World> {
  /** What keys get that have used all of their requests. */
  readonly spent: readonly RefusedRow<Name, World>[];
  /** What everybody gets while no node offers the endpoints' services. */
  readonly unavailable: readonly RefusedRow<Name, World>[];
  /** What writers get while another process holds the database. */
  readonly locked: readonly RefusedRow<Name, World>[];
}

/** What is answered that is nobody's fault, or that of asking too often. */
export function overloadRows<Name extends string, World, Success extends AnySuccess>(
  area: Area<Name, World, Success>,
): OverloadRows<Name, World> {
  const { names, endpoints } = area;
  const withBodies = new Set(bodyEndpointsOf(area));
  const row = (at: Name, why: string, expected: Refusal, change: Partial<RequestParts> = {}) => ({
    at,
    why,
    change,
    expected,
  });
  return {
    spent: names.flatMap((at) => {
      const role = rolesAt(endpoints[at]).mayNot.at(-1);
      return [
        row(at, "by a key that has used its requests", spent),
        row(at, "by an unknown key, which has none", unknownKey, { as: "stranger" }),
        ...(role ? [row(at, `by the role ${role}, which has used its requests`, spent, { as: role })] : []),
        ...(withBodies.has(at) ? [row(at, "by such a key, no JSON", spent, { body: "{" })] : []),
      ];
    }),
    unavailable: names.map((at) => row(at, "while no node offers it", unavailable)),
    locked: names
      .filter((at) => endpoints[at].permission !== "read")
      .map((at) => row(at, "while the database is locked", unavailable)),
  };
}
