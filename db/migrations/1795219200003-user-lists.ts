import { type MigrationInterface, type QueryRunner, Table, TableIndex } from "typeorm";
import { addNullableColumn, dropAddedColumn } from "../alter-table.ts";
import { runnerColumnTypes } from "../runner-columns.ts";

const indexes: Readonly<Record<string, readonly string[]>> = {
  users_id: ["workspace_id", "status", "id"],
  users_name: ["workspace_id", "status", "name", "id"],
  users_address: ["workspace_id", "status", "email", "id"],
  users_updated: ["workspace_id", "status", "updated_at", "id"],
  users_role: ["workspace_id", "status", "role", "id"],
  users_role_name: ["workspace_id", "status", "role", "name", "id"],
  users_role_address: ["workspace_id", "status", "role", "email", "id"],
  users_role_updated: ["workspace_id", "status", "role", "updated_at", "id"],
};

/** What lists, totals and searches of users take. MariaDB commits each step, so each can be done again. */
export class UserLists1795219200003 implements MigrationInterface {
  readonly name = "UserLists1795219200003";

  async up(runner: QueryRunner): Promise<void> {
    const { id, string, longText, integer } = await runnerColumnTypes(runner);
    await addNullableColumn(runner, "users", "words", longText);
    const there = new Set((await runner.getTable("users"))?.indices.map(({ name }) => name));
    for (const [name, columnNames] of Object.entries(indexes)) {
      if (there.has(name)) continue;
      await runner.createIndex("users", new TableIndex({ name, columnNames: [...columnNames] }));
    }
    await runner.createTable(
      new Table({
        name: "user_counts",
        withoutRowid: true,
        columns: [
          { name: "workspace_id", isPrimary: true, ...id },
          { name: "role", isPrimary: true, ...string(16) },
          { name: "status", isPrimary: true, ...string(16) },
          { name: "slot", isPrimary: true, ...integer },
          { name: "count", ...integer },
        ],
      }),
      true,
    );
    await runner.createTable(
      new Table({
        name: "user_words",
        withoutRowid: true,
        columns: [
          { name: "workspace_id", isPrimary: true, ...id },
          { name: "word", isPrimary: true, ...string(96) },
          { name: "user_id", isPrimary: true, ...id },
        ],
      }),
      true,
    );
    await countUsers(runner);
  }

  async down(runner: QueryRunner): Promise<void> {
    for (const table of ["user_words", "user_counts"]) await runner.dropTable(table, true);
    for (const name of Object.keys(indexes)) await runner.dropIndex("users", name, true);
    await dropAddedColumn(runner, "users", "words");
  }
}

/**
 * Counts the users that there are: by role and, under the empty one, over all of them, each in the slot of its
 * id as the program does it. Their words need the program's normaliser: it adds them when it starts.
 */
async function countUsers(runner: QueryRunner): Promise<void> {
  const isSqlite = runner.dataSource.options.type === "better-sqlite3";
  const slot = isSqlite ? "0" : "ASCII(SUBSTRING(id, 15, 1)) % 16";
  await runner.query("DELETE FROM user_counts");
  for (const role of ["role", "''"]) {
    await runner.query(
      `INSERT INTO user_counts (workspace_id, role, status, slot, count)
        SELECT workspace_id, ${role}, status, ${slot}, COUNT(*) FROM users GROUP BY 1, 2, 3, 4`,
    );
  }
}
