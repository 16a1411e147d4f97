import type { EnvelopeName } from "./envelopes.ts";

export type Method = "GET" | "POST" | "PATCH" | "DELETE";

/** A path and method that call an action with the caller's role. */
export interface ActionRoute {
  readonly method: Method;
  /** `:name` is a parameter: one segment, handed to the action under that name. */
  readonly path: string;
  readonly action: string;
  /** Status of a success. */
  readonly status: number;
  readonly envelope: EnvelopeName;
  /**
   * How large a body may be, in bytes. A route with a body takes no query; one without it takes the action's
   * params from the query and ignores a body.
   */
  readonly maxBodyBytes: number | undefined;
}

/** A path that tells whether the process is alive, or able to serve. It needs no key. */
export interface ProbeRoute {
  readonly method: Method;
  readonly path: string;
  readonly probe: "live" | "ready";
}

export type Route = ActionRoute | ProbeRoute;

type ActionRow = [
  method: Method,
  path: string,
  action: string,
  status: number,
  envelope: EnvelopeName,
  maxBodyBytes?: number,
];

const SINGLE = 1024 * 1024;
const BULK = 4 * SINGLE;

/** Everything that needs a key. A new endpoint is one line here, and an action that declares its permission. */
const actionRows: readonly ActionRow[] = [
  ["GET", "/v1/data", "records.list", 200, "list"],
  ["POST", "/v1/data", "records.create", 201, "item", SINGLE],
  ["POST", "/v1/data/bulk-create", "records.bulkCreate", 201, "list", BULK],
  ["DELETE", "/v1/data/bulk-delete", "records.bulkRemove", 200, "meta", BULK],
  ["GET", "/v1/data/:id", "records.get", 200, "item"],
  ["PATCH", "/v1/data/:id", "records.update", 200, "item", SINGLE],
  ["DELETE", "/v1/data/:id", "records.remove", 204, "none"],

  ["GET", "/v1/users", "users.list", 200, "list"],
  ["POST", "/v1/users", "users.create", 201, "item", SINGLE],
  ["GET", "/v1/users/:id", "users.get", 200, "item"],
  ["PATCH", "/v1/users/:id", "users.update", 200, "item", SINGLE],
  ["DELETE", "/v1/users/:id", "users.remove", 204, "none"],

  ["GET", "/v1/integrations", "integrations.list", 200, "items"],
  ["POST", "/v1/integrations", "integrations.create", 201, "item", SINGLE],
  ["GET", "/v1/integrations/:id", "integrations.get", 200, "item"],
  ["PATCH", "/v1/integrations/:id", "integrations.update", 200, "item", SINGLE],
  ["DELETE", "/v1/integrations/:id", "integrations.remove", 204, "none"],

  ["GET", "/v1/webhooks", "webhooks.list", 200, "list"],
  ["POST", "/v1/webhooks", "webhooks.create", 201, "item", SINGLE],
  ["DELETE", "/v1/webhooks/:id", "webhooks.remove", 204, "none"],
  ["POST", "/v1/webhooks/:id/recover", "deliveries.recover", 202, "meta", SINGLE],
  ["GET", "/v1/webhooks/:id/deliveries", "deliveries.list", 200, "list"],
  ["GET", "/v1/webhooks/:id/deliveries/:delivery_id", "deliveries.get", 200, "item"],
  ["POST", "/v1/webhooks/:id/deliveries/:delivery_id/resend", "deliveries.resend", 202, "item"],
];

/** The whole HTTP interface. */
export const routes: readonly Route[] = [
  { method: "GET", path: "/livez", probe: "live" },
  { method: "GET", path: "/readyz", probe: "ready" },
  ...actionRows.map(([method, path, action, status, envelope, maxBodyBytes]) => ({
    method,
    path,
    action,
    status,
    envelope,
    maxBodyBytes,
  })),
];
