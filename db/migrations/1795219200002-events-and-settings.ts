import { type MigrationInterface, type QueryRunner, Table } from "typeorm";
import { runnerColumnTypes } from "../runner-columns.ts";

export class EventsAndSettings1795219200002 implements MigrationInterface {
  readonly name = "EventsAndSettings1795219200002";

  async up(runner: QueryRunner): Promise<void> {
    const { id, string, longText, integer } = await runnerColumnTypes(runner);
    await runner.createTable(
      new Table({
        name: "events",
        columns: [
          { name: "id", isPrimary: true, ...id },
          { name: "workspace_id", ...id },
          { name: "event", ...string(64) },
          { name: "payload", ...longText },
          { name: "created_at", ...integer },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: "settings",
        columns: [
          { name: "name", isPrimary: true, ...string(64) },
          { name: "value", ...string(255) },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["settings", "events"]) await runner.dropTable(table, true);
  }
}
