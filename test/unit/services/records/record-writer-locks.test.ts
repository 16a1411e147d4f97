import { beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { growingSteps } from "../../../support/query-plan.ts";
import { type IssuedStatement, watchDatabase } from "../../../support/watched-sql.ts";
import { newTestWorkspace, type TestWorkspace } from "./support/test-workspace.ts";

const WORDS = Array.from({ length: 150 }, (_, at) => `word${at}`).join(" ");

/**
 * What scans a table in a transaction waits for rows of others and locks them, and two that do so wait for each
 * other. Databases like to scan where a table is small, so these are.
 */
describeOnBothDatabases("a change of records in small tables", (open) => {
  let database: Database;
  let workspace: TestWorkspace;
  let ids: string[];
  const issued: IssuedStatement[] = [];

  beforeAll(async () => {
    database = await open();
    workspace = newTestWorkspace(watchDatabase(database, issued));
    const records = Array.from({ length: 100 }, () => ({ name: "Plan", type: "task", fields: { a: WORDS } }));
    ids = (await workspace.writer.createMany(workspace.caller, records)).items.map(({ id }) => id);
    if (database.dialect === "mysql") {
      await database.read.query("ANALYZE TABLE records, record_words, record_counts");
    }
    issued.length = 0;
  });

  const expectByKey = async (statements: number) => {
    // An INSERT looks for nothing.
    const changes = issued.splice(0).filter(({ statement }) => !statement.startsWith("INSERT"));
    expect(changes.length).toBeGreaterThanOrEqual(statements);
    for (const change of changes) {
      expect([change.statement, ...(await growingSteps(database.read, change))]).toEqual([change.statement]);
    }
  };

  test("that updates finds rows by their key", async () => {
    await workspace.writer.update(workspace.caller, {
      id: ids[99] ?? "",
      status: "draft",
      fields: { a: "few" },
    });
    await expectByKey(3);
  });

  test("that removes finds rows by their key", async () => {
    await workspace.writer.removeMany(workspace.caller, ids.slice(0, 75));
    await expectByKey(8);
  });
});
