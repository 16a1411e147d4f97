import { type MigrationInterface, type QueryRunner, Table } from "typeorm";
import { runnerColumnTypes } from "../runner-columns.ts";

export class Records1795219200001 implements MigrationInterface {
  readonly name = "Records1795219200001";

  async up(runner: QueryRunner): Promise<void> {
    const { id, string, longText, integer } = await runnerColumnTypes(runner);
    await runner.createTable(
      new Table({
        name: "records",
        columns: [
          { name: "id", isPrimary: true, ...id },
          { name: "workspace_id", ...id },
          { name: "name", ...string(255) },
          { name: "type", ...string(64) },
          { name: "status", ...string(16) },
          { name: "created_at", ...integer },
          { name: "updated_at", ...integer },
          // What a search probes comes before what it does not: SQLite reads a long row from its front.
          { name: "words", ...longText },
          { name: "tags", ...longText },
          { name: "fields", ...longText },
        ],
        indices: [
          { name: "records_id", columnNames: ["workspace_id", "status", "id"] },
          { name: "records_name", columnNames: ["workspace_id", "status", "name", "id"] },
          { name: "records_updated", columnNames: ["workspace_id", "status", "updated_at", "id"] },
          { name: "records_type", columnNames: ["workspace_id", "status", "type", "id"] },
          { name: "records_type_name", columnNames: ["workspace_id", "status", "type", "name", "id"] },
          {
            name: "records_type_updated",
            columnNames: ["workspace_id", "status", "type", "updated_at", "id"],
          },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: "record_counts",
        withoutRowid: true,
        columns: [
          { name: "workspace_id", isPrimary: true, ...id },
          { name: "type", isPrimary: true, ...string(64) },
          { name: "status", isPrimary: true, ...string(16) },
          { name: "slot", isPrimary: true, ...integer },
          { name: "count", ...integer },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: "record_words",
        withoutRowid: true,
        columns: [
          { name: "workspace_id", isPrimary: true, ...id },
          { name: "word", isPrimary: true, ...string(96) },
          { name: "record_id", isPrimary: true, ...id },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["record_words", "record_counts", "records"]) await runner.dropTable(table, true);
  }
}
