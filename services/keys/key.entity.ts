import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";

export interface ApiKeyRow {
  id: string;
  workspace_id: string;
  user_id: string;
  name: string;
  /** What the key is found by; the key itself is stored nowhere. */
  hash: string;
  hint: string;
  /** Milliseconds since 1970. */
  created_at: number;
  revoked_at: number | null;
}

/** The table of API keys. They go with their user. */
export const apiKeyEntity = ({ id, string, integer }: ColumnTypes) =>
  new EntitySchema<ApiKeyRow>({
    name: "apiKey",
    tableName: "api_keys",
    columns: {
      id: { primary: true, ...id },
      workspace_id: id,
      user_id: id,
      name: string(255),
      hash: string(64),
      hint: string(16),
      created_at: integer,
      revoked_at: { nullable: true, ...integer },
    },
    foreignKeys: [
      {
        name: "api_keys_user",
        target: "user",
        columnNames: ["user_id"],
        referencedColumnNames: ["id"],
        onDelete: "CASCADE",
      },
    ],
    indices: [
      { name: "api_keys_hash", columns: ["hash"], unique: true },
      { name: "api_keys_user_id", columns: ["user_id"] },
    ],
  });
