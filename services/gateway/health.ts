import { setTimeout as delay } from "node:timers/promises";
import { unavailable } from "../../lib/errors.ts";

const DEADLINE_MS = 2_000;

/**
 * Whether the process can serve: asked, not assumed. Anybody may ask, so all who wait share one question,
 * also one that has had no answer for long.
 */
export class Readiness {
  readonly #ask: () => Promise<void>;
  readonly #deadlineMs: number;
  #asked: Promise<void> | undefined;

  /** @param ask resolves where all that is needed answers, and rejects where it does not */
  constructor(ask: () => Promise<void>, deadlineMs: number = DEADLINE_MS) {
    this.#ask = ask;
    this.#deadlineMs = deadlineMs;
  }

  /**
   * Resolves where the process can serve.
   * @throws ServiceError `unavailable` with the reason as its cause
   */
  async check(): Promise<void> {
    this.#asked ??= this.#askOnce();
    const waiting = new AbortController();
    try {
      await Promise.race([this.#asked, this.#timeOut(waiting.signal)]);
    } catch (error) {
      throw unavailable(error);
    } finally {
      waiting.abort();
    }
  }

  async #askOnce(): Promise<void> {
    try {
      await this.#ask();
    } finally {
      this.#asked = undefined;
    }
  }

  async #timeOut(signal: AbortSignal): Promise<void> {
    await delay(this.#deadlineMs, undefined, { signal, ref: false });
    throw new Error(`No answer within ${this.#deadlineMs} ms.`);
  }
}
