import { join } from "node:path";
import { expect, test } from "@jest/globals";
import { DataSource } from "typeorm";
import { addNullableColumn, dropAddedColumn } from "../../../db/alter-table.ts";
import { runnerColumnTypes } from "../../../db/runner-columns.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

describeOnBothDatabases("a column that is added to a table", (_open, freshStorage) => {
  test("comes and goes, however often that is asked for, and takes no rows of others with it", async () => {
    const { dataDir, databaseUrl } = await freshStorage();
    const source = await new DataSource(
      databaseUrl === undefined
        ? { type: "better-sqlite3", database: join(dataDir, "test.sqlite") }
        : { type: "mysql", url: databaseUrl },
    ).initialize();
    await source.query("CREATE TABLE parents (id VARCHAR(9) PRIMARY KEY)");
    await source.query(
      "CREATE TABLE children (id VARCHAR(9), FOREIGN KEY (id) REFERENCES parents (id) ON DELETE CASCADE)",
    );
    for (const table of ["parents", "children"]) await source.query(`INSERT INTO ${table} VALUES ('a')`);
    const runner = source.createQueryRunner();
    const { longText } = await runnerColumnTypes(runner);

    for (let count = 0; count < 2; count += 1) await addNullableColumn(runner, "parents", "more", longText);
    expect(await source.query("SELECT * FROM parents")).toEqual([{ id: "a", more: null }]);
    expect(await source.query("SELECT * FROM children")).toEqual([{ id: "a" }]);
    for (let count = 0; count < 2; count += 1) await dropAddedColumn(runner, "parents", "more");
    expect(await source.query("SELECT * FROM parents")).toEqual([{ id: "a" }]);
    expect(await source.query("SELECT * FROM children")).toEqual([{ id: "a" }]);
    await runner.release();
    await source.destroy();
  });
});
