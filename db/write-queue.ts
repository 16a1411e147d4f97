import { setTimeout as delay, setImmediate as nextTurn } from "node:timers/promises";
import { unavailable } from "../lib/errors.ts";
import { createPacer } from "../lib/pacer.ts";
import type { Sql, Transaction } from "./database.ts";
import { translateDriverError } from "./driver-errors.ts";
import { COMMIT, ROLLBACK } from "./transaction-statements.ts";

/** Writes that share one commit. More would make the first of them wait too long for its answer. */
const MAX_GROUP = 64;
/** Index entries that a quick write may change: each may be on a page of its own, at some 10 µs. */
const MAX_QUICK_CHANGES = 500;

/** After so much uninterrupted writing the lock is left alone for a moment: an operator's command gets a chance. */
const BUSY_MS = 200;
const GAP_MS = 4;

/** A connection for writes, and how a transaction begins on it. */
export interface WriteLane {
  readonly sql: Sql;
  /** Opens a transaction that holds the write lock, waiting for another process's if it must. */
  begin(): Promise<void>;
}

export interface WriteLanes {
  /** Statements run in this thread. */
  readonly quick: WriteLane;
  /** Statements cost more, but do not hold the process. */
  readonly large: WriteLane;
}

interface Job {
  readonly lane: keyof WriteLanes;
  /** Runs the work and gives back how to tell its caller, once the commit is known. */
  run(transaction: Transaction): Promise<() => void>;
  fail(error: unknown): void;
}

/** Goes through the work of a quick transaction that turns out to be large. */
class BeginAnewAsLarge extends Error {}

/**
 * Lets one write transaction at a time onto a SQLite file, in the order in which they were asked for. Quick
 * writes that wait at the same time share one commit, and with it the cost of making it durable: each has a
 * savepoint of its own, so a failing one takes nothing of the others with it, and none is acknowledged before
 * the commit. A large one has a commit to itself.
 */
export class WriteQueue {
  readonly #lanes: WriteLanes;
  readonly #waiting: Job[] = [];
  readonly #interludes: (() => Promise<void>)[] = [];
  #idle: Promise<void> = Promise.resolve();
  #isRunning = false;
  #isClosed = false;

  constructor(lanes: WriteLanes) {
    this.#lanes = lanes;
  }

  transaction<Result>(work: (transaction: Transaction) => Promise<Result>): Promise<Result> {
    if (this.#isClosed) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      this.#waiting.push({
        lane: "quick",
        run: async (transaction) => {
          const result = await work(transaction);
          return () => resolve(result);
        },
        fail: reject,
      });
      if (!this.#isRunning) this.#idle = this.#drain();
    });
  }

  /** Runs work while no transaction of this queue is open: those that wait go on behind it. */
  interlude(work: () => Promise<void>): Promise<void> {
    if (this.#isClosed) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      this.#interludes.push(() => work().then(resolve, reject));
      if (!this.#isRunning) this.#idle = this.#drain();
    });
  }

  /**
   * Takes no more writes, and resolves once those that were asked for are done.
   * @param timeoutMs after which those that still wait fail
   */
  async close(timeoutMs: number): Promise<void> {
    this.#isClosed = true;
    await Promise.race([this.#idle, delay(timeoutMs, undefined, { ref: false })]);
    for (const job of this.#waiting.splice(0)) job.fail(closed());
  }

  async #drain(): Promise<void> {
    this.#isRunning = true;
    // A turn for requests that arrived together to join the first group.
    await nextTurn();
    let gapAtMs = performance.now() + BUSY_MS;
    while (this.#waiting.length > 0 || this.#interludes.length > 0) {
      await this.#interludes.shift()?.();
      await this.#runNextGroup();
      if (performance.now() < gapAtMs) continue;
      await delay(GAP_MS);
      gapAtMs = performance.now() + BUSY_MS;
    }
    this.#isRunning = false;
  }

  async #runNextGroup(): Promise<void> {
    const group = this.#waiting.splice(0, this.#groupSize());
    const [first] = group;
    if (!first) return;
    const tooLarge = await runGroup(group, this.#lanes[first.lane], first.lane);
    // Before writes that came later.
    this.#waiting.unshift(...tooLarge.map((job) => ({ ...job, lane: "large" as const })));
  }

  #groupSize(): number {
    const firstLarge = this.#waiting.findIndex(({ lane }) => lane === "large");
    if (firstLarge === 0) return 1;
    return firstLarge === -1 ? MAX_GROUP : Math.min(MAX_GROUP, firstLarge);
  }
}

function closed(): Error {
  return unavailable(new Error("The database is closed."));
}

/** Runs jobs with one commit. Gives those that are to begin anew as large ones; all others are settled. */
async function runGroup(group: readonly Job[], { sql, begin }: WriteLane, lane: Job["lane"]): Promise<Job[]> {
  const pause = createPacer();
  const unsettled = new Set(group);
  const answers: (() => void)[] = [];
  const tooLarge: Job[] = [];
  try {
    await begin();
    for (const job of group) {
      await pause();
      const outcome = await runJob(job, sql, lane);
      if (outcome === "too large") tooLarge.push(job);
      if (typeof outcome === "function") answers.push(outcome);
      else unsettled.delete(job);
    }
    await sql.execute(COMMIT);
    for (const answer of answers) answer();
  } catch (error) {
    await rollBack(sql);
    for (const job of unsettled) job.fail(translateDriverError(error));
  }
  return tooLarge;
}

/** Gives the answer of a job that succeeded. One that did not leaves nothing behind; a failure is told. */
async function runJob(job: Job, sql: Sql, lane: Job["lane"]): Promise<(() => void) | "failed" | "too large"> {
  await sql.execute("SAVEPOINT job");
  const loan = lend(sql);
  const lent: Transaction = { ...loan.sql, expectChanges: (count) => checkSize(count, lane) };
  try {
    const answer = await job.run(lent).finally(loan.end);
    await sql.execute("RELEASE job");
    return answer;
  } catch (error) {
    const isTooLarge = error instanceof BeginAnewAsLarge;
    try {
      await takeBack(sql, error);
    } finally {
      if (!isTooLarge) job.fail(translateDriverError(error));
    }
    return isTooLarge ? "too large" : "failed";
  }
}

/** The connection while it is a job's. What a job says when it is over would take effect in another's. */
function lend(sql: Sql): { sql: Sql; end(): void } {
  let isOver = false;
  const check = () => {
    if (isOver) throw new Error("The transaction is over.");
  };
  return {
    sql: {
      dialect: sql.dialect,
      query: async (statement, parameters) => {
        check();
        return await sql.query(statement, parameters);
      },
      execute: async (statement, parameters) => {
        check();
        return await sql.execute(statement, parameters);
      },
    },
    end: () => {
      isOver = true;
    },
  };
}

/** Undoes what a job did. Throws where SQLite itself gave the whole transaction up, as on a full disk. */
async function takeBack(sql: Sql, reason: unknown): Promise<void> {
  try {
    await sql.execute("ROLLBACK TO job");
    await sql.execute("RELEASE job");
  } catch {
    throw unavailable(reason);
  }
}

function checkSize(changes: number, lane: Job["lane"]): void {
  if (lane === "quick" && changes > MAX_QUICK_CHANGES) throw new BeginAnewAsLarge();
}

async function rollBack(sql: Sql): Promise<void> {
  try {
    await sql.execute(ROLLBACK);
  } catch {
    // No transaction was open any more: there is nothing to take back.
  }
}
