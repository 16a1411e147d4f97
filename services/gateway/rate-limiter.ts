export interface RateLimit {
  /** Requests that each key has in a window; 0 for no limit. */
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Where a key stands after a request. */
export interface RateStanding {
  readonly isAllowed: boolean;
  readonly remaining: number;
  /** Whole seconds, at least 1, until the key has its full number again. */
  readonly resetSeconds: number;
}

interface Window {
  readonly endsAtMs: number;
  used: number;
}

/** Windows that ended are swept so many at a time, with each new one: the count shrinks faster than it grows. */
const SWEEP = 2;

/**
 * Counts the requests of each key in windows of fixed length, which begin with a key's first request. It
 * counts in this process alone: with several gateways a key has the number at each of them.
 */
export class RateLimiter {
  readonly limit: RateLimit;
  readonly #nowMs: () => number;
  /** In the order in which they end, since all are equally long. */
  readonly #windows = new Map<string, Window>();

  /** @param nowMs a clock in milliseconds that never steps back */
  constructor(limit: RateLimit, nowMs: () => number = () => performance.now()) {
    this.limit = limit;
    this.#nowMs = nowMs;
  }

  /** Counts one request; undefined where there is no limit. */
  spend(keyId: string): RateStanding | undefined {
    if (this.limit.requests === 0) return undefined;
    const nowMs = this.#nowMs();
    const window = this.#windowOf(keyId, nowMs);
    window.used += 1;
    return {
      isAllowed: window.used <= this.limit.requests,
      remaining: Math.max(0, this.limit.requests - window.used),
      resetSeconds: Math.max(1, Math.ceil((window.endsAtMs - nowMs) / 1000)),
    };
  }

  /** How many windows are held in memory. */
  get size(): number {
    return this.#windows.size;
  }

  #windowOf(keyId: string, nowMs: number): Window {
    const known = this.#windows.get(keyId);
    if (known && nowMs < known.endsAtMs) return known;
    this.#windows.delete(keyId);
    this.#sweep(nowMs);
    const window = { endsAtMs: nowMs + this.limit.windowSeconds * 1000, used: 0 };
    this.#windows.set(keyId, window);
    return window;
  }

  #sweep(nowMs: number): void {
    let swept = 0;
    for (const [keyId, { endsAtMs }] of this.#windows) {
      if (nowMs < endsAtMs || swept === SWEEP) return;
      this.#windows.delete(keyId);
      swept += 1;
    }
  }
}

/** The IETF draft's two fields for a standing, as a flat list of names and values. */
export function rateLimitHeaders(limit: RateLimit, { remaining, resetSeconds }: RateStanding): string[] {
  return [
    "RateLimit-Policy",
    `"default";q=${limit.requests};w=${limit.windowSeconds}`,
    "RateLimit",
    `"default";r=${remaining};t=${resetSeconds}`,
  ];
}
