import { setImmediate as nextTurn } from "node:timers/promises";
import { createPacer, type Pacer } from "../lib/pacer.ts";
import type { Sql, Transaction } from "./database.ts";
import { translateDriverError } from "./driver-errors.ts";

/** Writes that share one commit. More would make the first of them wait too long for its answer. */
const MAX_GROUP = 64;

interface Job {
  /** Runs the work and gives back how to tell its caller, once the commit is known. */
  run(transaction: Transaction): Promise<() => void>;
  fail(error: unknown): void;
}

/**
 * Lets one write transaction at a time onto SQLite's one writing connection, in the order in which they
 * were asked for. Writes that wait at the same time share one commit, and with it the cost of making it
 * durable: each has a savepoint of its own, so a failing one takes nothing of the others with it, and none
 * is acknowledged before the commit.
 */
export class WriteQueue {
  readonly #sql: Sql;
  readonly #begin: () => Promise<void>;
  readonly #waiting: Job[] = [];
  #idle: Promise<void> = Promise.resolve();
  #running = false;

  /**
   * @param sql the writing connection
   * @param begin opens a transaction that holds the write lock, waiting for another process's if it must
   */
  constructor(sql: Sql, begin: () => Promise<void>) {
    this.#sql = sql;
    this.#begin = begin;
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        run: async (transaction) => {
          const result = await work(transaction);
          return () => resolve(result);
        },
        fail: reject,
      });
      if (!this.#running) this.#idle = this.#drain();
    });
  }

  /** Resolves once everything that was asked for is done. */
  async whenIdle(): Promise<void> {
    await this.#idle;
  }

  async #drain(): Promise<void> {
    this.#running = true;
    // A turn for requests that arrived together to join the first group.
    await nextTurn();
    while (this.#waiting.length > 0) await this.#runGroup(this.#waiting.splice(0, MAX_GROUP));
    this.#running = false;
  }

  async #runGroup(group: readonly Job[]): Promise<void> {
    const pause = createPacer();
    const unsettled = new Set(group);
    const answers: (() => void)[] = [];
    try {
      await this.#begin();
      for (const job of group) {
        const answer = await this.#runJob(job, pause);
        if (answer) answers.push(answer);
        else unsettled.delete(job);
      }
      await this.#sql.execute("COMMIT");
    } catch (error) {
      await this.#rollBack();
      for (const job of unsettled) job.fail(translateDriverError(error));
      return;
    }
    for (const answer of answers) answer();
  }

  /** Gives the answer of a job that succeeded; one that failed is told so and leaves nothing behind. */
  async #runJob(job: Job, pause: Pacer): Promise<(() => void) | undefined> {
    await pause();
    await this.#sql.execute("SAVEPOINT job");
    try {
      const answer = await job.run({ ...this.#sql, isTransaction: true });
      await this.#sql.execute("RELEASE job");
      return answer;
    } catch (error) {
      // Where SQLite itself gave the whole transaction up (a full disk), this throws and fails the group.
      await this.#sql.execute("ROLLBACK TO job");
      await this.#sql.execute("RELEASE job");
      job.fail(translateDriverError(error));
      return undefined;
    }
  }

  async #rollBack(): Promise<void> {
    try {
      await this.#sql.execute("ROLLBACK");
    } catch {
      // No transaction was open any more: there is nothing to take back.
    }
  }
}
