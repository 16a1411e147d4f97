import { type Role, roles } from "../../lib/caller.ts";
import type { ParamsOf, ParamsSchema } from "../../mixins/action.ts";
import { id, listParams, oneOf } from "../../mixins/params.schema.ts";

/** Whether a user may act: the keys of an inactive one open nothing. */
export const userStatuses = ["active", "inactive"] as const;
export type UserStatus = (typeof userStatuses)[number];

/** What `sort` may name. */
export const userSorts = ["id", "name", "email", "role", "status", "created_at", "updated_at"] as const;
export type UserSort = (typeof userSorts)[number];

const name = { type: "string", maxLength: 255, notBlank: true, format: "storable" } as const;

/** Whatever is wrong here is 400. Whether `email` is an address is judged where users are made: see email.ts. */
export const createUserSchema = {
  type: "object",
  additionalProperties: false,
  required: ["email", "name", "role"],
  properties: {
    email: { type: "string", maxLength: 254, format: "storable" },
    name,
    role: { type: "string", enum: roles },
  },
} as const satisfies ParamsSchema;

export const updateUserSchema = {
  type: "object",
  additionalProperties: false,
  required: ["id"],
  properties: {
    id,
    name: { ...name, semantic: ["notBlank"] },
    role: oneOf(roles),
    status: oneOf(userStatuses),
  },
} as const satisfies ParamsSchema;

export const listUsersSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    role: oneOf(roles),
    status: oneOf(userStatuses),
    sort: { type: "string", enum: userSorts },
    ...listParams,
  },
} as const satisfies ParamsSchema;

export type NewUser = ParamsOf<typeof createUserSchema>;
export type UserPatch = ParamsOf<typeof updateUserSchema>;
export type ListUsersParams = ParamsOf<typeof listUsersSchema>;

/** A user as the interface shows it. */
export interface UserResource {
  id: string;
  email: string;
  name: string;
  role: Role;
  status: UserStatus;
  created_at: string;
  updated_at: string;
}
