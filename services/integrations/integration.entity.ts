import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";

/** A workspace's connection to a provider. */
export interface IntegrationRow {
  id: string;
  workspace_id: string;
  type: string;
  status: "connected" | "pending_auth";
  /** JSON object of the settings that may be shown, in the order in which the client sent them. */
  config: string;
  /** Sealed JSON object of those that may not; null where there are none. */
  credentials: string | null;
  /** Milliseconds since 1970; null until it is authorized. */
  connected_at: number | null;
  created_at: number;
  updated_at: number;
  /** Milliseconds since 1970 by the database's clock: it hears of events from then on. */
  stands_since: number;
}

/** The table of integrations. A workspace has one of each type. */
export const integrationEntity = ({ id, string, longText, integer }: ColumnTypes) =>
  new EntitySchema<IntegrationRow>({
    name: "integration",
    tableName: "integrations",
    columns: {
      id: { primary: true, ...id },
      workspace_id: id,
      type: string(64),
      status: string(16),
      config: longText,
      credentials: { nullable: true, ...longText },
      connected_at: { nullable: true, ...integer },
      created_at: integer,
      updated_at: integer,
      stands_since: integer,
    },
    foreignKeys: [
      {
        name: "integrations_workspace",
        target: "workspace",
        columnNames: ["workspace_id"],
        referencedColumnNames: ["id"],
      },
    ],
    indices: [{ name: "integrations_type", columns: ["workspace_id", "type"], unique: true }],
  });
