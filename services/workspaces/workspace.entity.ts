import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";

export interface WorkspaceRow {
  id: string;
  name: string;
  /** Milliseconds since 1970. */
  created_at: number;
}

/** The table of workspaces. */
export const workspaceEntity = ({ id, string, integer }: ColumnTypes) =>
  new EntitySchema<WorkspaceRow>({
    name: "workspace",
    tableName: "workspaces",
    columns: {
      id: { primary: true, ...id },
      name: string(255),
      created_at: integer,
    },
  });
