import { endpointNames, endpointOf } from "../support/endpoints.ts";
import type { Refusal, RequestParts, Scenario } from "../support/scenario.ts";

const spent: Refusal = {
  status: 429,
  code: "rate_limited",
  says: ["1 requests"],
  headers: { "retry-after": /^[1-9]\d*$/, ratelimit: /^"default";r=0;t=\d+$/ },
};

const unavailable: Refusal = { status: 503, code: "unavailable", headers: { "retry-after": /^[1-9]\d*$/ } };

const row = (
  at: Scenario["at"],
  why: string,
  expected: Refusal,
  change: Partial<RequestParts> = {},
): Scenario => ({ at, why, change, expected });

/** What keys get that have used all of their requests. */
export const spentRows: readonly Scenario[] = endpointNames.flatMap((at) => {
  const { isWrite, body } = endpointOf(at);
  const unknownKey: Refusal = { status: 401, code: "unauthorized" };
  return [
    row(at, "by a key that has used its requests", spent),
    row(at, "by an unknown key, which has none", unknownKey, { as: "stranger" }),
    ...(isWrite ? [row(at, "by a viewer who has used theirs", spent, { as: "viewer" })] : []),
    ...(body ? [row(at, "by such a key, no JSON", spent, { body: "{" })] : []),
  ];
});

/** What everybody gets while nobody acts on records. */
export const unavailableRows: readonly Scenario[] = endpointNames.map((at) =>
  row(at, "while no node has the records", unavailable),
);

/** What writers get while another process holds the database. */
export const lockedRows: readonly Scenario[] = endpointNames
  .filter((at) => endpointOf(at).isWrite)
  .map((at) => row(at, "while the database is locked", unavailable));
