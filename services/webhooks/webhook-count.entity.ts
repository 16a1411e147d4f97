import { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../../db/columns.ts";

/** How many registrations a workspace has: the row that two who register at once both have to write. */
export interface WebhookCountRow {
  workspace_id: string;
  count: number;
}

export const webhookCountEntity = ({ id, integer }: ColumnTypes) =>
  new EntitySchema<WebhookCountRow>({
    name: "webhookCount",
    tableName: "webhook_counts",
    columns: { workspace_id: { primary: true, ...id }, count: integer },
  });
