import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";

/** How many users a workspace has of a role and status: the sum over the slots. */
export interface UserCountRow {
  workspace_id: string;
  /** Empty for the sum over all roles. */
  role: string;
  status: string;
  /** Spreads a busy counter over several rows: see db/listing/list-counts.ts. */
  slot: number;
  count: number;
}

export const userCountEntity = ({ id, string, integer }: ColumnTypes) =>
  new EntitySchema<UserCountRow>({
    name: "userCount",
    tableName: "user_counts",
    withoutRowid: true,
    columns: {
      workspace_id: { primary: true, ...id },
      role: { primary: true, ...string(16) },
      status: { primary: true, ...string(16) },
      slot: { primary: true, ...integer },
      count: integer,
    },
  });
