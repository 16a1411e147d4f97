import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "@jest/globals";
import { mariaDbSuiteMode } from "../../support/mariadb.ts";
import { findMariaDb } from "../../support/mariadb-binaries.ts";

describe("a suite that needs MariaDB", () => {
  test.each([
    [true, "true", "run"],
    [true, undefined, "run"],
    [false, "true", "fail"],
    [false, undefined, "skip"],
    [false, "false", "skip"],
  ] as const)("with a server installed: %p and CI=%s, it will %s", (available, ci, mode) => {
    expect(mariaDbSuiteMode(available, ci)).toBe(mode);
  });
});

describe("the search for MariaDB's programs", () => {
  let root: string;
  let inPath: string;
  let usual: string;

  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), "programs-"));
    inPath = join(root, "path");
    usual = join(root, "usual");
    await mkdir(inPath);
    await mkdir(usual);
  });
  afterEach(() => rm(root, { recursive: true }));

  const program = (folder: string, name: string, mode = 0o755) =>
    writeFile(join(folder, name), "#!/bin/sh\n", { mode });

  test("takes PATH first and the usual folders after it", async () => {
    await program(usual, "mariadbd");
    await program(usual, "mariadb-install-db");
    await program(inPath, "mariadb-install-db");
    expect(findMariaDb(`/nowhere:${inPath}`, [usual])).toEqual({
      server: join(usual, "mariadbd"),
      install: join(inPath, "mariadb-install-db"),
    });
  });

  test("takes the older name of the install program too", async () => {
    await program(inPath, "mariadbd");
    await program(inPath, "mysql_install_db");
    expect(findMariaDb(inPath, [])?.install).toBe(join(inPath, "mysql_install_db"));
  });

  test("finds nothing where one of the two is missing, a folder, or may not be run", async () => {
    await program(inPath, "mariadb-install-db");
    expect(findMariaDb(inPath, [usual])).toBeUndefined();
    await mkdir(join(usual, "mariadbd"));
    expect(findMariaDb(inPath, [usual])).toBeUndefined();
    await program(inPath, "mariadbd", 0o644);
    expect(findMariaDb(inPath, [usual])).toBeUndefined();
  });
});
