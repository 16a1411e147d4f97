import { type MigrationInterface, type QueryRunner, Table } from "typeorm";
import { runnerColumnTypes } from "../runner-columns.ts";

export class IdempotencyKeys1795219200005 implements MigrationInterface {
  readonly name = "IdempotencyKeys1795219200005";

  async up(runner: QueryRunner): Promise<void> {
    const { id, string, longText, integer } = await runnerColumnTypes(runner);
    await runner.createTable(
      new Table({
        name: "idempotency_keys",
        columns: [
          { name: "workspace_id", isPrimary: true, ...id },
          { name: "request_hash", isPrimary: true, ...string(64) },
          { name: "body_hash", ...string(64) },
          { name: "claim_id", isNullable: true, ...id },
          { name: "expires_at", ...integer },
          // Last: what stands before it is read without the pages of a large answer.
          { name: "answer", isNullable: true, ...longText },
        ],
        indices: [{ name: "idempotency_keys_expires", columnNames: ["expires_at"] }],
      }),
      true,
    );
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.dropTable("idempotency_keys", true);
  }
}
