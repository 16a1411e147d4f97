const ALLOWED_HEADERS = "Authorization, Content-Type, Idempotency-Key, X-Request-Id";
const EXPOSED_HEADERS = "Location, RateLimit, RateLimit-Policy, Retry-After, X-Request-Id";
const MAX_AGE_SECONDS = "600";

const none: readonly string[] = [];

/**
 * Which pages may read answers. Without configured origins nothing is said about it at all. Header lists are
 * flat: a name, its value, the next name.
 */
export class Cors {
  readonly #origins: ReadonlySet<string>;

  /** @param origins exact origins, or `*` for all */
  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  get isOn(): boolean {
    return this.#origins.size > 0;
  }

  /** What every answer carries. A foreign origin is told nothing, so its page may not read the answer. */
  answerHeaders(origin: string | undefined): readonly string[] {
    if (!this.isOn) return none;
    const allowed = this.#allowed(origin);
    // Caches must keep the answers to different origins apart, also those that allow nothing.
    const vary = ["Vary", "Origin"];
    if (allowed === undefined) return vary;
    return [
      ...vary,
      "Access-Control-Allow-Origin",
      allowed,
      "Access-Control-Expose-Headers",
      EXPOSED_HEADERS,
    ];
  }

  /**
   * What the answer to a preflight carries beside {@link answerHeaders}.
   * @param methods those that the path knows, comma separated
   */
  preflightHeaders(origin: string | undefined, methods: string): readonly string[] {
    if (this.#allowed(origin) === undefined) return none;
    return [
      "Access-Control-Allow-Methods",
      methods,
      "Access-Control-Allow-Headers",
      ALLOWED_HEADERS,
      "Access-Control-Max-Age",
      MAX_AGE_SECONDS,
    ];
  }

  #allowed(origin: string | undefined): string | undefined {
    if (origin === undefined) return undefined;
    if (this.#origins.has("*")) return "*";
    return this.#origins.has(origin) ? origin : undefined;
  }
}
