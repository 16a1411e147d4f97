import { type MigrationInterface, type QueryRunner, Table } from "typeorm";
import { runnerColumnTypes } from "../runner-columns.ts";

export class WorkspacesUsersKeys1795219200000 implements MigrationInterface {
  readonly name = "WorkspacesUsersKeys1795219200000";

  async up(runner: QueryRunner): Promise<void> {
    const { id, string, integer } = await runnerColumnTypes(runner);
    await runner.createTable(
      new Table({
        name: "workspaces",
        columns: [
          { name: "id", isPrimary: true, ...id },
          { name: "name", ...string(255) },
          { name: "created_at", ...integer },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: "users",
        columns: [
          { name: "id", isPrimary: true, ...id },
          { name: "workspace_id", ...id },
          { name: "email", ...string(320) },
          { name: "email_key", ...string(320) },
          { name: "name", ...string(255) },
          { name: "role", ...string(16) },
          { name: "status", ...string(16) },
          { name: "created_at", ...integer },
          { name: "updated_at", ...integer },
        ],
        foreignKeys: [
          {
            name: "users_workspace",
            columnNames: ["workspace_id"],
            referencedTableName: "workspaces",
            referencedColumnNames: ["id"],
          },
        ],
        indices: [{ name: "users_email", columnNames: ["workspace_id", "email_key"], isUnique: true }],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: "api_keys",
        columns: [
          { name: "id", isPrimary: true, ...id },
          { name: "workspace_id", ...id },
          { name: "user_id", ...id },
          { name: "name", ...string(255) },
          { name: "hash", ...string(64) },
          { name: "hint", ...string(16) },
          { name: "created_at", ...integer },
          { name: "revoked_at", isNullable: true, ...integer },
        ],
        foreignKeys: [
          {
            name: "api_keys_user",
            columnNames: ["user_id"],
            referencedTableName: "users",
            referencedColumnNames: ["id"],
            onDelete: "CASCADE",
          },
        ],
        indices: [
          { name: "api_keys_hash", columnNames: ["hash"], isUnique: true },
          { name: "api_keys_user_id", columnNames: ["user_id"] },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["api_keys", "users", "workspaces"]) await runner.dropTable(table, true);
  }
}
