import type { Actor, AnyScenario, AnySuccess, Area, RefusedRow, RequestParts } from "../scenario.ts";
import { rolesAt } from "../scenario.ts";

/** Things that are wrong with a key, whatever is asked with it. */
const keyFaults: readonly { why: string; change: Partial<RequestParts> }[] = [
  { why: "without a key", change: { as: "nobody" } },
  { why: "with a key that nobody has", change: { as: "stranger" } },
  { why: "with a mistyped key", change: { headers: { Authorization: `Bearer wds_${"0".repeat(49)}` } } },
  { why: "with another scheme", change: { headers: { Authorization: "Basic dXNlcjpwYXNz" } } },
];

/** Who may do what at an area's endpoints, and what their paths do not know. */
export function accessRows<Name extends string, World, Success extends AnySuccess>({
  names,
  endpoints,
  usual,
}: Area<Name, World, Success>): AnyScenario<Name, World, Success, never>[] {
  const unauthorized = names.flatMap((at) =>
    keyFaults.map(
      ({ why, change }): RefusedRow<Name, World> => ({
        at,
        why,
        change,
        expected: { status: 401, code: "unauthorized", headers: { "www-authenticate": "Bearer" } },
      }),
    ),
  );
  const forbidden = names.flatMap((at) =>
    rolesAt(endpoints[at]).mayNot.map(
      (role): RefusedRow<Name, World> => ({
        at,
        why: `by the role ${role}, which may not`,
        change: { as: role },
        expected: { status: 403, code: "forbidden", says: [role] },
      }),
    ),
  );
  const otherMethods = names.flatMap((at) =>
    endpoints[at].otherMethods.map(
      (method): RefusedRow<Name, World> => ({
        at,
        why: `the path, asked by ${method}`,
        change: { method },
        expected: { status: 405, code: "method_not_allowed", headers: { allow: endpoints[at].allow } },
      }),
    ),
  );
  const allowed = names.flatMap((at) => {
    const actors: readonly Actor[] = rolesAt(endpoints[at]).may;
    return actors.map((as) => ({ at, why: `by the role ${as}`, change: { as }, expected: usual[at] }));
  });
  return [...unauthorized, ...forbidden, ...otherMethods, ...allowed];
}
