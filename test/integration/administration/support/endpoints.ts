import { bodyEndpointsOf, type Endpoint, itemEndpointsOf } from "../../scenarios/scenario.ts";
import { SECRET, type World } from "./world.ts";

const MIB = 1024 * 1024;
const always = [400, 401, 405, 429, 503];
const withBody = [403, 413, 415, ...always];

const list = {
  permission: "read",
  otherMethods: ["PUT", "PATCH", "DELETE", "OPTIONS"],
  allow: "GET, HEAD, POST",
} as const;
const create = {
  permission: "administer",
  maxBodyBytes: MIB,
  otherMethods: ["PUT"],
  allow: "GET, HEAD, POST",
} as const;
const item = { otherMethods: ["PUT", "POST"], allow: "DELETE, GET, HEAD, PATCH" } as const;

export const newUser = { email: "New@Example.com", name: "New", role: "editor" } as const;
export const newIntegration = {
  type: "zapier",
  config: { hook_url: `https://hooks.zapier.com/hooks/catch/1/${SECRET}` },
};
export const newEvents = ["record.created", "user.invited"];

export const endpoints = {
  "GET /v1/users": { ...list, statuses: [200, 422, ...always] },
  "POST /v1/users": { ...create, body: () => newUser, statuses: [201, 409, ...withBody] },
  "GET /v1/users/:id": { ...item, permission: "read", statuses: [200, 404, ...always] },
  "PATCH /v1/users/:id": {
    ...item,
    permission: "administer",
    body: () => ({ name: "Changed" }),
    maxBodyBytes: MIB,
    statuses: [200, 404, 409, 422, ...withBody],
  },
  "DELETE /v1/users/:id": { ...item, permission: "administer", statuses: [204, 403, 404, 409, ...always] },

  "GET /v1/integrations": { ...list, statuses: [200, 422, ...always] },
  "POST /v1/integrations": {
    ...create,
    body: () => newIntegration,
    statuses: [201, 409, 422, ...withBody],
  },
  "GET /v1/integrations/:id": { ...item, permission: "read", statuses: [200, 404, ...always] },
  "PATCH /v1/integrations/:id": {
    ...item,
    permission: "administer",
    body: () => ({ config: { channel: "#general" } }),
    maxBodyBytes: MIB,
    statuses: [200, 404, 422, ...withBody],
  },
  "DELETE /v1/integrations/:id": { ...item, permission: "administer", statuses: [204, 403, 404, ...always] },

  "GET /v1/webhooks": { ...list, statuses: [200, ...always] },
  "POST /v1/webhooks": {
    ...create,
    body: ({ hook }) => ({ url: hook, events: newEvents }),
    statuses: [201, 422, ...withBody],
  },
  "DELETE /v1/webhooks/:id": {
    permission: "administer",
    otherMethods: ["GET", "PUT", "PATCH", "POST"],
    allow: "DELETE",
    statuses: [204, 403, 404, ...always],
  },
} as const satisfies Record<string, Endpoint<World>>;

export type EndpointName = keyof typeof endpoints;

export const endpointNames = [
  "GET /v1/users",
  "POST /v1/users",
  "GET /v1/users/:id",
  "PATCH /v1/users/:id",
  "DELETE /v1/users/:id",
  "GET /v1/integrations",
  "POST /v1/integrations",
  "GET /v1/integrations/:id",
  "PATCH /v1/integrations/:id",
  "DELETE /v1/integrations/:id",
  "GET /v1/webhooks",
  "POST /v1/webhooks",
  "DELETE /v1/webhooks/:id",
] as const satisfies readonly EndpointName[];

/** An endpoint's description without the precision of its literal types. */
export function endpointOf(name: EndpointName): Endpoint<World> {
  return endpoints[name];
}

/** The kinds of things that the endpoints are about, as their paths name them. */
export const kinds = ["users", "integrations", "webhooks"] as const;
export type Kind = (typeof kinds)[number];

/** What an endpoint is about. */
export function kindOf(at: EndpointName): Kind {
  const kind = kinds.find((name) => at.includes(`/v1/${name}`));
  if (!kind) throw new Error(`${at} is about nothing known.`);
  return kind;
}

/** Those that take a body. */
export const bodyEndpoints = bodyEndpointsOf<EndpointName, World>({ names: endpointNames, endpoints });

/** Those that name one item by its id. */
export const itemEndpoints = itemEndpointsOf({ names: endpointNames });
