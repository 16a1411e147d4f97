import type { ParamsOf, ParamsSchema } from "../../mixins/action.ts";
import { id, pageParams } from "../../mixins/params.schema.ts";
import { providers } from "./catalog.ts";

/** What `status` may name in a list. `available` is what could be connected and is not. */
export const integrationStatuses = ["connected", "available", "pending_auth"] as const;
export type IntegrationStatus = (typeof integrationStatuses)[number];

/** What is in a config, its provider says: see providers/. */
const config = { type: "object", maxProperties: 20 } as const;

export const createIntegrationSchema = {
  type: "object",
  additionalProperties: false,
  required: ["type", "config"],
  properties: { type: { type: "string", enum: providers.map(({ type }) => type) }, config },
} as const satisfies ParamsSchema;

export const updateIntegrationSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id", "config"],
  properties: { id, config },
} as const satisfies ParamsSchema;

export const listIntegrationsSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    status: { type: "string", enum: integrationStatuses, semantic: ["enum"] },
    type: { type: "string", format: "storable" },
    ...pageParams,
  },
} as const satisfies ParamsSchema;

export type NewIntegration = ParamsOf<typeof createIntegrationSchema>;
export type IntegrationPatch = ParamsOf<typeof updateIntegrationSchema>;
export type ListIntegrationsParams = ParamsOf<typeof listIntegrationsSchema>;

/** An integration as the interface shows it: its config without credentials. */
export interface IntegrationResource {
  id: string;
  type: string;
  name: string;
  status: IntegrationStatus;
  connected_at: string | null;
  config: Record<string, unknown>;
}
