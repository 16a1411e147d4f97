import { mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { openDatabase } from "../../../db/open-database.ts";
import { describeOnBothDatabases } from "../../support/databases.ts";

describe("without a DATABASE_URL", () => {
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), "open-database-"));
  });
  afterEach(() => rm(folder, { recursive: true }));

  test("the data is in one SQLite file in DATA_DIR, which is made where it is missing", async () => {
    const dataDir = join(folder, "deep", "data");
    const database = await openDatabase({ dataDir, databaseUrl: undefined });
    expect(database.dialect).toBe("sqlite");
    await database.close();
    expect(await readdir(dataDir)).toEqual(["workspace-data.sqlite"]);
  });

  test("nobody else on the host may look into a folder that was made", async () => {
    const dataDir = join(folder, "data");
    const database = await openDatabase({ dataDir, databaseUrl: undefined });
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
    await database.close();
  });
});

describeOnBothDatabases("a database that is opened", (_open, storage) => {
  test("is the one that the configuration names, migrated and ready", async () => {
    const place = await storage();
    const database = await openDatabase(place);
    expect(database.dialect).toBe(place.databaseUrl === undefined ? "sqlite" : "mysql");
    expect(await database.read.query("SELECT * FROM records")).toEqual([]);
    await database.close();
  });
});
