import type { Sql } from "./database.ts";

/** How long committed pages wait in the log at most before a checkpoint moves them to the database file. */
const INTERVAL_MS = 1_000;
/** Pages of log (64 MiB) beyond which writers wait for a moment, so that the log can begin anew. */
const MAX_LOG_PAGES = 16_384;

/** Runs work while nobody writes, and resolves when it is done. */
export type Interlude = (work: () => Promise<void>) => Promise<void>;

/**
 * Moves what is committed from SQLite's write-ahead log to the database file, beside the work: SQLite itself
 * would do it in the middle of a commit. Durability does not depend on it: a commit is on disk, in the log,
 * when it is acknowledged.
 */
export class SqliteCheckpointer {
  readonly #sql: Sql;
  readonly #intervalMs: number;
  readonly #interlude: Interlude;
  #timer: NodeJS.Timeout | undefined;
  #isBehind = false;
  #isClosed = false;

  /**
   * @param sql a connection that nobody else uses, and whose statements do not hold the process: none can
   *   checkpoint in the middle of its own transaction
   */
  constructor(sql: Sql, intervalMs: number = INTERVAL_MS, interlude: Interlude = (work) => work()) {
    this.#sql = sql;
    this.#intervalMs = intervalMs;
    this.#interlude = interlude;
  }

  /** Says that something was committed; a checkpoint follows within the interval. */
  noteCommit(): void {
    this.#isBehind = true;
    if (this.#timer || this.#isClosed) return;
    this.#timer = setTimeout(() => void this.#checkpoint(), this.#intervalMs);
    this.#timer.unref();
  }

  async #checkpoint(): Promise<void> {
    this.#isBehind = false;
    try {
      const [result] = await this.#sql.query<{ log: number }>("PRAGMA wal_checkpoint(PASSIVE)");
      if ((result?.log ?? 0) > MAX_LOG_PAGES) await this.#interlude(() => this.#beginLogAnew());
    } catch {
      // The next commit asks again; until then the log grows, and a commit checkpoints itself as a last resort.
    } finally {
      this.#timer = undefined;
      if (this.#isBehind) this.noteCommit();
    }
  }

  async #beginLogAnew(): Promise<void> {
    await this.#sql.query("PRAGMA wal_checkpoint(RESTART)");
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }
}
