import type { Role } from "../../lib/caller.ts";
import type { ParamsOf, ParamsSchema } from "../../mixins/action.ts";
import { id } from "../../mixins/params.schema.ts";

export const authenticateSchema = {
  type: "object",
  additionalProperties: false,
  required: ["hash"],
  properties: { hash: { type: "string", pattern: "^[0-9a-f]{64}$" } },
} as const satisfies ParamsSchema;

export const createKeySchema = {
  type: "object",
  additionalProperties: false,
  required: ["user_id"],
  properties: {
    user_id: id,
    name: { type: "string", maxLength: 255, notBlank: true, format: "storable" },
  },
} as const satisfies ParamsSchema;

export const listKeysSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    workspace_id: id,
    limit: { type: "integer", minimum: 1, maximum: 1_000 },
    before: id,
  },
} as const satisfies ParamsSchema;

export type AuthenticateParams = ParamsOf<typeof authenticateSchema>;
export type CreateKeyParams = ParamsOf<typeof createKeySchema>;
export type ListKeysParams = ParamsOf<typeof listKeysSchema>;

/** A key as it is listed: what it opens and for whom, never the key. */
export interface KeyResource {
  id: string;
  name: string;
  /** The key's first characters. */
  hint: string;
  user_id: string;
  user_email: string;
  role: Role;
  workspace_id: string;
  created_at: string;
  revoked_at: string | null;
}

/** A key that was just made: the one time that it is shown. */
export interface CreatedKey {
  id: string;
  name: string;
  user_id: string;
  workspace_id: string;
  key: string;
  hint: string;
  created_at: string;
}
