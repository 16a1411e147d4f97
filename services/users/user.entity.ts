import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";
import type { Role } from "../../lib/caller.ts";
import type { UserStatus } from "./user.schema.ts";

export interface UserRow {
  id: string;
  workspace_id: string;
  /** As it was given. */
  email: string;
  /** As it is compared: see email.ts. */
  email_key: string;
  name: string;
  role: Role;
  status: UserStatus;
  /** Milliseconds since 1970. */
  created_at: number;
  updated_at: number;
  /** Index words, each with a space before it; null for a user of before the index until it is mended. */
  words: string | null;
}

/** The table of users. An address is there once in a workspace. The other indexes each serve one sort, as records' do. */
export const userEntity = ({ id, string, longText, integer }: ColumnTypes) =>
  new EntitySchema<UserRow>({
    name: "user",
    tableName: "users",
    columns: {
      id: { primary: true, ...id },
      workspace_id: id,
      email: string(320),
      email_key: string(320),
      name: string(255),
      role: string(16),
      status: string(16),
      created_at: integer,
      updated_at: integer,
      words: { nullable: true, ...longText },
    },
    foreignKeys: [
      {
        name: "users_workspace",
        target: "workspace",
        columnNames: ["workspace_id"],
        referencedColumnNames: ["id"],
      },
    ],
    indices: [
      { name: "users_email", columns: ["workspace_id", "email_key"], unique: true },
      { name: "users_id", columns: ["workspace_id", "status", "id"] },
      { name: "users_name", columns: ["workspace_id", "status", "name", "id"] },
      { name: "users_address", columns: ["workspace_id", "status", "email", "id"] },
      { name: "users_updated", columns: ["workspace_id", "status", "updated_at", "id"] },
      { name: "users_role", columns: ["workspace_id", "status", "role", "id"] },
      { name: "users_role_name", columns: ["workspace_id", "status", "role", "name", "id"] },
      { name: "users_role_address", columns: ["workspace_id", "status", "role", "email", "id"] },
      { name: "users_role_updated", columns: ["workspace_id", "status", "role", "updated_at", "id"] },
    ],
  });
