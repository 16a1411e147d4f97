import type { ItemIds } from "../../scenarios/rows/items.ts";
import { itemRows as anyItemRows } from "../../scenarios/rows/items.ts";
import { badQuery } from "../../scenarios/rows/order.ts";
import { endpointNames, itemEndpoints, kindOf } from "../support/endpoints.ts";
import type { Scenario } from "../support/scenario.ts";
import type { World } from "../support/world.ts";

/** Ids under which an endpoint finds something, or does not. */
export function idsAt({ own, theirs, unknown }: World, at: (typeof endpointNames)[number]): ItemIds {
  const kind = kindOf(at);
  return {
    own: own[kind],
    theirs: theirs[kind],
    unknown: unknown[kind],
    otherKind: kind === "users" ? own.webhooks : own.users,
  };
}

/** Ids, and whose they are. */
export const itemRows: readonly Scenario[] = [
  ...anyItemRows({ names: endpointNames }, idsAt),
  ...itemEndpoints.map(
    (at): Scenario => ({
      at,
      why: "the id of what is gone",
      given: { gone: [kindOf(at)] },
      change: ({ own }) => ({ id: own[kindOf(at)] }),
      expected: { status: 404, code: "not_found" },
    }),
  ),
];

const USER = "PATCH /v1/users/:id";
const INTEGRATION = "PATCH /v1/integrations/:id";

const first = (
  at: Scenario["at"],
  why: string,
  change: NonNullable<Scenario["change"]>,
  expected: Scenario["expected"],
): Scenario => ({ at, why, change, expected });

const invalid = (...paths: string[]) => ({ status: 400, code: "invalid_request", paths }) as const;
const notFound = { status: 404, code: "not_found" } as const;

/** What is judged first of what an action looks at: whether the item is there comes last, but for conflicts. */
export const orderRows: readonly Scenario[] = [
  ...itemEndpoints
    .filter((at) => !at.startsWith("PATCH"))
    .map((at) =>
      first(
        at,
        "a bad query, for an item that there is not",
        { id: "nosuch", query: badQuery },
        invalid("nosuch"),
      ),
    ),
  first(
    USER,
    "a wrong type, for a user that there is not",
    { id: "nosuch", body: { name: 5 } },
    invalid("name"),
  ),
  first(
    USER,
    "an unknown role, for another workspace's user",
    ({ theirs }) => ({
      id: theirs.users,
      body: { role: "owner" },
    }),
    { status: 422, code: "unprocessable", paths: ["role"] },
  ),
  first(USER, "nothing to change, for a user that there is not", { id: "nosuch", body: {} }, notFound),
  first(
    USER,
    "what would be a conflict here, for another workspace's admin",
    ({ foreign }) => ({
      id: foreign.users.admin,
      body: { role: "viewer" },
    }),
    notFound,
  ),
  first(
    "DELETE /v1/users/:id",
    "the last active admin of another workspace",
    ({ foreign }) => ({
      id: foreign.users.admin,
    }),
    notFound,
  ),
  first(
    USER,
    "an unknown status for the last active admin",
    ({ home }) => ({
      id: home.users.admin,
      body: { status: "gone", role: "viewer" },
    }),
    { status: 422, code: "unprocessable", paths: ["status"] },
  ),
  first(
    "POST /v1/users",
    "an email that is taken and an unknown role",
    {
      body: { email: "editor@example.com", name: "A", role: "owner" },
    },
    invalid("role"),
  ),
  first(
    INTEGRATION,
    "config that is no object, for an integration that there is not",
    {
      id: "nosuch",
      body: { config: [] },
    },
    invalid("config"),
  ),
  first(
    INTEGRATION,
    "21 keys, for an integration that there is not",
    {
      id: "nosuch",
      body: { config: Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`key ${at}`, "a"])) },
    },
    invalid("config"),
  ),
  first(
    INTEGRATION,
    "nothing to change, for an integration that there is not",
    {
      id: "nosuch",
      body: { config: {} },
    },
    notFound,
  ),
  // Which config is valid, the integration's own type says: without an integration there is none to be wrong by.
  first(
    INTEGRATION,
    "a key that no type knows, for an integration that there is not",
    { id: "nosuch", body: { config: { nosuch: 1 } } },
    notFound,
  ),
  first(
    "POST /v1/integrations",
    "a type that is connected and an unknown member",
    {
      body: { type: "slack", config: { channel: "#b", bot_token: "a" }, nosuch: 1 },
    },
    invalid("nosuch"),
  ),
];
