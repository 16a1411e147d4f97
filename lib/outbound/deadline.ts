/** Runs a function once after so many milliseconds; what it gives back prevents that. */
export type StartTimer = (ms: number, onEnd: () => void) => () => void;

export const startTimer: StartTimer = (ms, onEnd) => {
  const timer = setTimeout(onEnd, ms);
  return () => clearTimeout(timer);
};

export interface DeadlineOptions {
  readonly timeoutMs: number;
  /** The caller's own; aborting it ends everything at once. */
  readonly signal?: AbortSignal;
  readonly startTimer: StartTimer;
}

/** The one end of a request, whatever stage it is in: its time is over, or the caller wants it no more. */
export class Deadline {
  readonly timeoutMs: number;
  readonly #controller = new AbortController();
  readonly #caller: AbortSignal | undefined;
  readonly #stopTimer: () => void;
  #end: "timeout" | "aborted" | undefined;

  constructor({ timeoutMs, signal, startTimer: start }: DeadlineOptions) {
    this.timeoutMs = timeoutMs;
    this.#caller = signal;
    this.#stopTimer = start(timeoutMs, () => this.#endBy("timeout"));
    signal?.addEventListener("abort", this.abort, { once: true });
    if (signal?.aborted) this.abort();
  }

  /** Aborted at the end, by whichever of the two it came. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** By what it came to its end; undefined as long as it has not. */
  get end(): "timeout" | "aborted" | undefined {
    return this.#end;
  }

  readonly abort = (): void => this.#endBy("aborted");

  /** The work's result, or a rejection at the end, even if the work does not heed the signal. */
  async bound<Result>(work: Promise<Result>): Promise<Result> {
    const { promise: ended, reject } = Promise.withResolvers<never>();
    const onEnd = () => reject(this.signal.reason);
    this.signal.addEventListener("abort", onEnd, { once: true });
    if (this.signal.aborted) onEnd();
    try {
      return await Promise.race([work, ended]);
    } finally {
      this.signal.removeEventListener("abort", onEnd);
    }
  }

  /** Gives back timer and listener. To be called when the request is over. */
  release(): void {
    this.#stopTimer();
    this.#caller?.removeEventListener("abort", this.abort);
  }

  #endBy(end: "timeout" | "aborted"): void {
    this.#end ??= end;
    this.#controller.abort();
  }
}
