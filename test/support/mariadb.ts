import { describe, test } from "@jest/globals";
import { findMariaDb } from "./mariadb-binaries.ts";
import { borrowDatabase, hasLender } from "./mariadb-lender.ts";
import { type MariaDbServer, startOwnMariaDb } from "./mariadb-server.ts";

export { type MariaDbServer, type OwnMariaDbOptions, startOwnMariaDb } from "./mariadb-server.ts";

const HOW_TO_GET_IT =
  "no MariaDB server is installed (apt-get install mariadb-server-core mariadb-client-core, or brew install mariadb)";

/**
 * A MariaDB server for tests. In a jest run it is the run's one server, started by the first file that asks
 * for a database and ended with the run, so that stop() has nothing to do; elsewhere it is the caller's own.
 * A test that relaxes, kills or stops its server takes startOwnMariaDb().
 */
export async function startMariaDb(): Promise<MariaDbServer> {
  if (!hasLender()) return startOwnMariaDb();
  return { createDatabase: borrowDatabase, stop: async () => {} };
}

/** Whether the programs of a MariaDB server are installed on this machine. */
export function mariaDbAvailable(): boolean {
  return findMariaDb() !== undefined;
}

/** What a suite that needs MariaDB does: where CI=true, a missing server is a failure and no reason to skip. */
export function mariaDbSuiteMode(available: boolean, ci: string | undefined): "run" | "fail" | "skip" {
  if (available) return "run";
  return ci === "true" ? "fail" : "skip";
}

/**
 * describe() for a suite that needs a MariaDB server. Where none is installed, the suite is skipped with a
 * line that says how to get one; with CI=true it fails and says so.
 */
export function describeMariaDb(name: string, suite: () => void): void {
  const mode = mariaDbSuiteMode(mariaDbAvailable(), process.env.CI);
  if (mode === "run") {
    describe(name, suite);
  } else if (mode === "skip") {
    process.stderr.write(`Skipped "${name}": ${HOW_TO_GET_IT}.\n`);
    describe.skip(name, suite);
  } else {
    describe(name, () => {
      test("has a MariaDB server", () => {
        throw new Error(`CI is true, and ${HOW_TO_GET_IT}.`);
      });
    });
  }
}
