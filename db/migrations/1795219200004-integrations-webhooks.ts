import { type MigrationInterface, type QueryRunner, Table } from "typeorm";
import { runnerColumnTypes } from "../runner-columns.ts";

export class IntegrationsWebhooks1795219200004 implements MigrationInterface {
  readonly name = "IntegrationsWebhooks1795219200004";

  async up(runner: QueryRunner): Promise<void> {
    const { id, string, longText, integer } = await runnerColumnTypes(runner);
    await runner.createTable(
      new Table({
        name: "integrations",
        columns: [
          { name: "id", isPrimary: true, ...id },
          { name: "workspace_id", ...id },
          { name: "type", ...string(64) },
          { name: "status", ...string(16) },
          { name: "config", ...longText },
          { name: "credentials", isNullable: true, ...longText },
          { name: "connected_at", isNullable: true, ...integer },
          { name: "created_at", ...integer },
          { name: "updated_at", ...integer },
          { name: "stands_since", ...integer },
        ],
        foreignKeys: [
          {
            name: "integrations_workspace",
            columnNames: ["workspace_id"],
            referencedTableName: "workspaces",
            referencedColumnNames: ["id"],
          },
        ],
        indices: [{ name: "integrations_type", columnNames: ["workspace_id", "type"], isUnique: true }],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: "webhooks",
        columns: [
          { name: "id", isPrimary: true, ...id },
          { name: "workspace_id", ...id },
          { name: "url", ...string(2_048) },
          { name: "events", ...longText },
          { name: "status", ...string(16) },
          { name: "secret", isNullable: true, ...longText },
          { name: "created_at", ...integer },
          { name: "stands_since", ...integer },
        ],
        foreignKeys: [
          {
            name: "webhooks_workspace",
            columnNames: ["workspace_id"],
            referencedTableName: "workspaces",
            referencedColumnNames: ["id"],
          },
        ],
        indices: [{ name: "webhooks_workspace_id", columnNames: ["workspace_id", "id"] }],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: "webhook_counts",
        columns: [
          { name: "workspace_id", isPrimary: true, ...id },
          { name: "count", ...integer },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["webhook_counts", "webhooks", "integrations"]) await runner.dropTable(table, true);
  }
}
