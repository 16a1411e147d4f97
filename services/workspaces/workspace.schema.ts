import type { Role } from "../../lib/caller.ts";
import type { ParamsOf, ParamsSchema } from "../../mixins/action.ts";
import type { UserStatus } from "../users/user.schema.ts";

const name = { type: "string", maxLength: 255, notBlank: true, format: "storable" } as const;

/** Whether `email` is an address is judged where users are made: see provision.ts. */
export const createWorkspaceSchema = {
  type: "object",
  additionalProperties: false,
  required: ["name", "email"],
  properties: { name, email: { type: "string", format: "storable" }, user_name: name },
} as const satisfies ParamsSchema;

export const listWorkspacesSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    limit: { type: "integer", minimum: 1, maximum: 1_000 },
    before: { type: "string", format: "storable" },
  },
} as const satisfies ParamsSchema;

export type CreateWorkspaceParams = ParamsOf<typeof createWorkspaceSchema>;
export type ListWorkspacesParams = ParamsOf<typeof listWorkspacesSchema>;

export interface WorkspaceResource {
  id: string;
  name: string;
  created_at: string;
}

/** A new workspace with its first user, and that user's key: the one time that it is shown. */
export interface CreatedWorkspace {
  workspace: WorkspaceResource;
  user: { id: string; email: string; name: string; role: Role; status: UserStatus };
  key: { id: string; key: string };
}
