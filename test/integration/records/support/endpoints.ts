import { bodyEndpointsOf, type Endpoint, itemEndpointsOf } from "../../scenarios/scenario.ts";
import { firstRecord, type World } from "./world.ts";

const MIB = 1024 * 1024;
const always = [400, 401, 405, 429, 503];
const withBody = [403, 413, 415, 422, ...always];

export const newRecord = { name: "New", type: "note" };

export const endpoints = {
  "GET /v1/data": {
    permission: "read",
    otherMethods: ["PUT", "PATCH", "DELETE", "OPTIONS"],
    allow: "GET, HEAD, POST",
    statuses: [200, ...always],
  },
  "GET /v1/data/:id": {
    permission: "read",
    otherMethods: ["PUT", "POST"],
    allow: "DELETE, GET, HEAD, PATCH",
    statuses: [200, 404, ...always],
  },
  "POST /v1/data": {
    body: () => newRecord,
    maxBodyBytes: MIB,
    permission: "writeRecords",
    otherMethods: ["PUT"],
    allow: "GET, HEAD, POST",
    statuses: [201, ...withBody],
  },
  "PATCH /v1/data/:id": {
    body: () => ({ name: "Changed" }),
    maxBodyBytes: MIB,
    permission: "writeRecords",
    otherMethods: ["PUT"],
    allow: "DELETE, GET, HEAD, PATCH",
    statuses: [200, 404, ...withBody],
  },
  "DELETE /v1/data/:id": {
    permission: "writeRecords",
    otherMethods: ["POST"],
    allow: "DELETE, GET, HEAD, PATCH",
    statuses: [204, 403, 404, ...always],
  },
  "POST /v1/data/bulk-create": {
    body: () => ({ records: [firstRecord, newRecord] }),
    maxBodyBytes: 4 * MIB,
    permission: "writeRecords",
    otherMethods: ["GET", "PUT", "PATCH", "DELETE"],
    allow: "POST",
    statuses: [201, ...withBody],
  },
  "DELETE /v1/data/bulk-delete": {
    body: ({ first, third }) => ({ ids: [first, third] }),
    maxBodyBytes: 4 * MIB,
    permission: "writeRecords",
    otherMethods: ["GET", "PUT", "PATCH", "POST"],
    allow: "DELETE",
    statuses: [200, ...withBody],
  },
} as const satisfies Record<string, Endpoint<World>>;

export type EndpointName = keyof typeof endpoints;

/** An endpoint's description without the precision of its literal types. */
export function endpointOf(name: EndpointName): Endpoint<World> {
  return endpoints[name];
}

export const endpointNames = [
  "GET /v1/data",
  "GET /v1/data/:id",
  "POST /v1/data",
  "PATCH /v1/data/:id",
  "DELETE /v1/data/:id",
  "POST /v1/data/bulk-create",
  "DELETE /v1/data/bulk-delete",
] as const satisfies readonly EndpointName[];

/** Those that take a body. */
export const bodyEndpoints = bodyEndpointsOf({ names: endpointNames, endpoints });

/** Those that name one record by its id. */
export const itemEndpoints = itemEndpointsOf({ names: endpointNames });
