import { type MigrationInterface, type QueryRunner, Table } from "typeorm";
import { runnerColumnTypes } from "../runner-columns.ts";

export class Deliveries1795219200006 implements MigrationInterface {
  readonly name = "Deliveries1795219200006";

  async up(runner: QueryRunner): Promise<void> {
    const { id, string, longText, integer } = await runnerColumnTypes(runner);
    await runner.createTable(
      new Table({
        name: "pending_events",
        columns: [
          { name: "event_id", isPrimary: true, ...id },
          { name: "workspace_id", ...id },
          { name: "event", ...string(64) },
          { name: "created_at", ...integer },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: "deliveries",
        columns: [
          { name: "id", isPrimary: true, ...id },
          { name: "workspace_id", ...id },
          { name: "event_id", ...id },
          { name: "event", ...string(64) },
          { name: "channel", ...string(16) },
          { name: "target_id", ...id },
          { name: "status", ...string(16) },
          { name: "attempt_count", ...integer },
          { name: "created_at", ...integer },
          { name: "finished_at", isNullable: true, ...integer },
        ],
        indices: [
          { name: "deliveries_event", columnNames: ["event_id", "target_id"], isUnique: true },
          { name: "deliveries_target", columnNames: ["target_id", "id"] },
          { name: "deliveries_status", columnNames: ["target_id", "status", "event", "id"] },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: "delivery_queue",
        columns: [
          { name: "delivery_id", isPrimary: true, ...id },
          { name: "channel", ...string(16) },
          { name: "target_id", ...id },
          { name: "lane", ...integer },
          { name: "due_at", ...integer },
          { name: "claim_id", isNullable: true, ...id },
        ],
        indices: [
          { name: "delivery_queue_due", columnNames: ["target_id", "lane", "due_at", "delivery_id"] },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: "delivery_attempts",
        columns: [
          { name: "delivery_id", isPrimary: true, ...id },
          { name: "number", isPrimary: true, ...integer },
          { name: "at", ...integer },
          { name: "duration_ms", ...integer },
          { name: "status_code", isNullable: true, ...integer },
          { name: "error", isNullable: true, ...string(16) },
          { name: "response", isNullable: true, ...longText },
        ],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["delivery_attempts", "delivery_queue", "deliveries", "pending_events"]) {
      await runner.dropTable(table, true);
    }
  }
}
