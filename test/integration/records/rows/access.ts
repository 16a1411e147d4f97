import { endpointNames, endpointOf } from "../support/endpoints.ts";
import type { Actor, RequestParts, Scenario } from "../support/scenario.ts";
import { usual } from "./usual.ts";

/** Things that are wrong with a key, whatever is asked with it. */
const keyFaults: readonly { why: string; change: Partial<RequestParts> }[] = [
  { why: "without a key", change: { as: "nobody" } },
  { why: "with a key that nobody has", change: { as: "stranger" } },
  { why: "with a mistyped key", change: { headers: { Authorization: `Bearer wds_${"0".repeat(49)}` } } },
  { why: "with another scheme", change: { headers: { Authorization: "Basic dXNlcjpwYXNz" } } },
];

const unauthorized: Scenario[] = endpointNames.flatMap((at) =>
  keyFaults.map(({ why, change }) => ({
    at,
    why,
    change,
    expected: { status: 401, code: "unauthorized", headers: { "www-authenticate": "Bearer" } },
  })),
);

const forbidden: Scenario[] = endpointNames
  .filter((at) => endpointOf(at).isWrite)
  .map((at) => ({
    at,
    why: "by a viewer",
    change: { as: "viewer" },
    expected: { status: 403, code: "forbidden", says: ["viewer"] },
  }));

const otherMethods: Scenario[] = endpointNames.flatMap((at) =>
  endpointOf(at).otherMethods.map((method) => ({
    at,
    why: `the path, asked by ${method}`,
    change: { method },
    expected: { status: 405, code: "method_not_allowed", headers: { allow: endpointOf(at).allow } },
  })),
);

const allowed: Scenario[] = endpointNames.flatMap((at) => {
  const actors: Actor[] = endpointOf(at).isWrite ? ["editor", "admin"] : ["viewer", "editor", "admin"];
  return actors.map((as) => ({ at, why: `by the role ${as}`, change: { as }, expected: usual[at] }));
});

/** Who may do what. */
export const accessRows: readonly Scenario[] = [...unauthorized, ...forbidden, ...otherMethods, ...allowed];
