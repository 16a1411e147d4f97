import type { Sql } from "../../../../db/database.ts";
import type { WriteLanes } from "../../../../db/write-queue.ts";

interface Script {
  /** What the statement waits for before it takes effect. */
  readonly until?: Promise<void>;
  /** What it fails with. */
  readonly error?: Error;
}

/**
 * Two write lanes whose connections do nothing but write down what they are told. Statements can be made to
 * wait or to fail, the next time they are said.
 */
export class RecordingLanes implements WriteLanes {
  /** Every statement in its order, those of the large lane with its name before them. */
  readonly log: string[] = [];
  readonly #scripts = new Map<string, Script>();

  readonly quick = this.#lane("");
  readonly large = this.#lane("large: ");

  /** Says what the statement does the next time, once. */
  next(statement: string, script: Script): void {
    this.#scripts.set(statement, script);
  }

  /** The log since the last look. */
  take(): string[] {
    return this.log.splice(0);
  }

  #lane(name: string) {
    const run = async (statement: string) => {
      const entry = name + statement;
      this.log.push(entry);
      const { until, error } = this.#scripts.get(entry) ?? {};
      this.#scripts.delete(entry);
      await until;
      if (error) throw error;
    };
    const sql: Sql = {
      dialect: "sqlite",
      query: async (statement) => {
        await run(statement);
        return [];
      },
      execute: async (statement) => {
        await run(statement);
        return 1;
      },
    };
    return { sql, begin: () => run("BEGIN") };
  }
}

/** An error as SQLite's driver throws it. */
export function sqliteError(code: string, message = code): Error {
  return Object.assign(new Error(message), { code });
}
