import type { IncomingMessage } from "node:http";
import { LRUCache } from "lru-cache";
import { hashApiKey, isMistyped } from "../../lib/api-key.ts";
import type { Caller } from "../../lib/caller.ts";
import { ServiceError } from "../../lib/errors.ts";

/** Asks whoever owns the keys. Gives null for one that opens nothing. */
export type KeyLookUp = (hash: string, requestId: string) => Promise<Caller | null>;

export interface AuthenticatorOptions {
  readonly lookUp: KeyLookUp;
  /** The operator's own key, which may have any form. */
  readonly bootstrapApiKey: string | undefined;
  /** A clock in milliseconds that never steps back. */
  readonly nowMs?: () => number;
}

interface Known {
  readonly caller: Caller;
  readonly expiresAtMs: number;
}

const MAX_KNOWN = 5_000;
/**
 * How long an answer counts, from the moment at which it was asked for. Revocations must hold everywhere
 * within five seconds, also where the notice of one is lost.
 */
const TTL_MS = 4_000;

/** Keys made here have no spaces, but one that an operator chose may. */
const bearer = /^bearer +([\x21-\x7e](?:[\x20-\x7e]*[\x21-\x7e])?)$/i;
const AUTHORIZATION = "authorization";

/**
 * Finds out on whose behalf a request comes. Callers are remembered for a moment, under the hash of the key:
 * the key itself is kept nowhere. Keys that open nothing are not remembered, so they cannot displace others.
 */
export class Authenticator {
  readonly #lookUp: KeyLookUp;
  readonly #bootstrapHash: string | undefined;
  readonly #nowMs: () => number;
  readonly #known = new LRUCache<string, Known>({ max: MAX_KNOWN });
  /** Look-ups under way, which further requests with the same key share. */
  readonly #asked = new Map<string, Promise<Caller | null>>();
  #generation = 0;

  constructor({ lookUp, bootstrapApiKey, nowMs = () => performance.now() }: AuthenticatorOptions) {
    this.#lookUp = lookUp;
    this.#bootstrapHash = bootstrapApiKey === undefined ? undefined : hashApiKey(bootstrapApiKey);
    this.#nowMs = nowMs;
  }

  /**
   * The caller whose key the request shows; at once where the key is known.
   * @throws ServiceError `unauthorized`; or what the look-up throws
   */
  authenticate(request: IncomingMessage, requestId: string): Caller | Promise<Caller> {
    const key = shownKey(request);
    if (key === undefined) throw unauthorized();
    const hash = hashApiKey(key);
    const known = this.#known.get(hash);
    if (known && this.#nowMs() < known.expiresAtMs) return known.caller;
    if (isMistyped(key) && hash !== this.#bootstrapHash) throw unauthorized();
    return this.#ask(hash, requestId);
  }

  /** Forgets every caller, and what look-ups under way will say: a key or a user has changed. */
  forget(): void {
    this.#generation += 1;
    this.#known.clear();
    this.#asked.clear();
  }

  async #ask(hash: string, requestId: string): Promise<Caller> {
    let asked = this.#asked.get(hash);
    if (!asked) {
      asked = this.#lookUpAndKeep(hash, requestId);
      this.#asked.set(hash, asked);
    }
    const caller = await asked;
    if (caller === null) throw unauthorized();
    return caller;
  }

  async #lookUpAndKeep(hash: string, requestId: string): Promise<Caller | null> {
    const generation = this.#generation;
    const expiresAtMs = this.#nowMs() + TTL_MS;
    try {
      const caller = await this.#lookUp(hash, requestId);
      // What was read before something changed may be outdated: it serves those who wait, and is not kept.
      if (caller !== null && generation === this.#generation) this.#known.set(hash, { caller, expiresAtMs });
      return caller;
    } finally {
      if (generation === this.#generation) this.#asked.delete(hash);
    }
  }
}

/** The key behind `Authorization: Bearer`; undefined without exactly one. */
function shownKey({ headers, rawHeaders }: IncomingMessage): string | undefined {
  const key = bearer.exec(headers.authorization ?? "")?.[1];
  return key !== undefined && occursOnce(AUTHORIZATION, rawHeaders) ? key : undefined;
}

/** Node keeps the first of several such headers silently, but a proxy before it may have judged by the last. */
function occursOnce(name: string, rawHeaders: readonly string[]): boolean {
  let count = 0;
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const header = rawHeaders[at];
    if (header?.length === name.length && header.toLowerCase() === name) count += 1;
  }
  return count === 1;
}

function unauthorized(): ServiceError {
  return new ServiceError("unauthorized", "A valid API key is required, as in: Authorization: Bearer <key>");
}
