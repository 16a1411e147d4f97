import { Worker } from "node:worker_threads";
import type { Sql, SqlValue } from "./database.ts";
import { BEGIN, COMMIT, ROLLBACK } from "./transaction-statements.ts";

export interface ThreadOptions {
  readonly file: string;
  readonly pragmas: readonly string[];
}

export interface StatementRequest {
  readonly id: number;
  readonly statement: string;
  readonly parameters: readonly SqlValue[];
}

export interface StatementFailure {
  readonly message: string;
  /** SQLite's own, as in SQLITE_BUSY. */
  readonly code: string;
}

export type StatementReply =
  | { readonly id: number; readonly rows: unknown[]; readonly affected: number }
  | { readonly id: number; readonly failure: StatementFailure };

interface Outcome {
  readonly rows: unknown[];
  readonly affected: number;
}

interface Pending {
  resolve(outcome: Outcome): void;
  reject(error: unknown): void;
}

/** An error of the thread's connection; its code is what the driver's own errors have. */
class ThreadError extends Error {
  readonly code: string;

  constructor({ message, code }: StatementFailure) {
    super(message);
    this.code = code;
  }
}

/**
 * A SQLite connection in a thread of its own, which starts with the first statement. What takes long there,
 * a commit of thousands of pages or a checkpoint, does not hold the process.
 */
export class SqliteThread {
  readonly #options: ThreadOptions;
  readonly #pending = new Map<number, Pending>();
  #worker: Worker | undefined;
  #lastId = 0;
  #isInTransaction = false;
  #isLost = false;

  readonly sql: Sql = {
    dialect: "sqlite",
    query: async <Row>(statement: string, parameters: readonly SqlValue[] = []) => {
      const { rows } = await this.#send(statement, parameters);
      return rows as Row[];
    },
    execute: async (statement, parameters = []) => (await this.#send(statement, parameters)).affected,
  };

  constructor(options: ThreadOptions) {
    this.#options = options;
  }

  #send(statement: string, parameters: readonly SqlValue[]): Promise<Outcome> {
    if (statement === BEGIN) {
      this.#isInTransaction = true;
      this.#isLost = false;
    }
    if (statement === COMMIT || statement === ROLLBACK) this.#isInTransaction = false;
    // What comes behind a lost BEGIN would take effect by itself, statement by statement.
    if (this.#isLost) return Promise.reject(new Error("The thread of the database ended: begin anew."));
    this.#worker ??= this.#start();
    this.#lastId += 1;
    const id = this.#lastId;
    this.#worker.postMessage({ id, statement, parameters } satisfies StatementRequest);
    return new Promise((resolve, reject) => this.#pending.set(id, { resolve, reject }));
  }

  #start(): Worker {
    const worker = new Worker(new URL("./sqlite-thread.worker.ts", import.meta.url), {
      workerData: this.#options,
    });
    worker.unref();
    worker.on("message", (reply: StatementReply) => {
      const pending = this.#pending.get(reply.id);
      this.#pending.delete(reply.id);
      if ("failure" in reply) pending?.reject(new ThreadError(reply.failure));
      else pending?.resolve(reply);
    });
    worker.on("error", (error) => this.#giveUp(worker, error));
    worker.on("exit", () => this.#giveUp(worker, new Error("The thread of the database ended.")));
    return worker;
  }

  /** Whoever waits for an answer learns that none will come; the next transaction starts a new thread. */
  #giveUp(worker: Worker, error: unknown): void {
    // One that failed ends a moment later, when another may have taken its place.
    if (this.#worker !== worker) return;
    this.#worker = undefined;
    this.#isLost = this.#isInTransaction;
    for (const { reject } of this.#pending.values()) reject(error);
    this.#pending.clear();
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }
}
