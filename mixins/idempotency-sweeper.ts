import type { Database } from "../db/database.ts";
import { deleteExpired, findExpired } from "./idempotency-key.repository.ts";

const INTERVAL_MS = 60_000;
/** Rows a transaction: writes that come meanwhile wait for no longer than so many deletions. */
const BATCH = 50;
/** Pages that an answer may be on, roughly: those of a bulk are on a thousand. */
const CHANGES_PER_ROW = 20;

/**
 * Removes what has expired, again and again until it is stopped. Requests do not depend on it: they look at
 * the time themselves. On several nodes at once it is harmless.
 */
export class IdempotencySweeper {
  readonly #database: Database;
  readonly #onError: (error: unknown) => void;
  readonly #intervalMs: number;
  #timer: NodeJS.Timeout | undefined;
  #sweeping: Promise<void> = Promise.resolve();
  #isStopped = false;

  constructor(database: Database, onError: (error: unknown) => void, intervalMs: number = INTERVAL_MS) {
    this.#database = database;
    this.#onError = onError;
    this.#intervalMs = intervalMs;
  }

  /** Begins with a pause: a start has better things to do. */
  start(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => {
      this.#sweeping = this.#sweep().finally(() => this.start());
    }, this.#intervalMs);
    this.#timer.unref();
  }

  /** Resolves once nothing is under way any more. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#timer);
    await this.#sweeping;
  }

  async #sweep(): Promise<void> {
    try {
      let found = BATCH;
      while (found === BATCH && !this.#isStopped) found = await sweepBatch(this.#database);
    } catch (error) {
      this.#onError(error);
    }
  }
}

/** Removes some of what has expired; gives how many were found, which is fewer than a batch where that was all. */
async function sweepBatch(database: Database): Promise<number> {
  const expired = await findExpired(database.read, BATCH);
  if (expired.length === 0) return 0;
  await database.transaction(async (transaction) => {
    transaction.expectChanges(expired.length * CHANGES_PER_ROW);
    for (const name of expired) await deleteExpired(transaction, name);
  });
  return expired.length;
}
