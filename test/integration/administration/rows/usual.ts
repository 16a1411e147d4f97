import { type EndpointName, newEvents, newIntegration, newUser } from "../support/endpoints.ts";
import type { Stored, Success } from "../support/scenario.ts";
import { chatConfig, type World } from "../support/world.ts";

/** The home workspace's users, oldest first. */
export const everybody = ["viewer", "editor", "admin", "Idle"];

/** A user as they are stored when nothing but these members was sent. */
export const user = (members: Stored = {}): Stored => ({ ...newUser, status: "active", ...members });

/** An integration as it is stored: one that works at once, unless told. */
export const integration = (members: Stored): Stored => ({
  status: "connected",
  isConnected: true,
  config: "{}",
  credentials: null,
  ...members,
});

/** What the chat's config becomes when these keys are set. */
export const chatWith = (members: Stored) => JSON.stringify({ ...chatConfig, ...members });

/** A registration as it is stored. */
export const registration =
  (members: Stored = {}) =>
  ({ hook }: World): Stored => ({ url: hook, events: newEvents, status: "active", secret: null, ...members });

/** What each endpoint's usual request comes to. */
export const usual = {
  "GET /v1/users": { status: 200, shows: everybody },
  "POST /v1/users": { status: 201, creates: user() },
  "GET /v1/users/:id": { status: 200 },
  "PATCH /v1/users/:id": { status: 200, updates: { name: "Changed" } },
  "DELETE /v1/users/:id": { status: 204, removes: true },

  "GET /v1/integrations": { status: 200, shows: ["slack", "github"] },
  "POST /v1/integrations": {
    status: 201,
    creates: integration({ type: "zapier", credentials: JSON.stringify(newIntegration.config) }),
  },
  "GET /v1/integrations/:id": { status: 200 },
  "PATCH /v1/integrations/:id": { status: 200, updates: { config: chatWith({ channel: "#general" }) } },
  "DELETE /v1/integrations/:id": { status: 204, removes: true },

  "GET /v1/webhooks": { status: 200, shows: ["/first", "/second"] },
  "POST /v1/webhooks": { status: 201, creates: registration() },
  "DELETE /v1/webhooks/:id": { status: 204, removes: true },
} as const satisfies Readonly<Record<EndpointName, Success>>;
