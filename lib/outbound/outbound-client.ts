import { ConnectionPool, freshLease, type Lease } from "./connection-pool.ts";
import { Deadline, type StartTimer, startTimer } from "./deadline.ts";
import { type Exchange, exchange, type OutboundAnswer, type Progress } from "./exchange.ts";
import { explainFailure, isStaleConnection } from "./failure.ts";
import type { IpRange } from "./ip-address.ts";
import { nameResolver, type ResolveName } from "./name-resolver.ts";
import { readTarget } from "./target.ts";
import { vettedAddresses } from "./vetted-addresses.ts";

export { OutboundError, type OutboundReason } from "./outbound-error.ts";

export interface OutboundClientOptions {
  /** What may be reached although it is private: `parseNetworks` reads it. */
  readonly allowedNetworks: readonly IpRange[];
  /** The hosts file and DNS of the system unless told. */
  readonly resolve?: ResolveName;
  readonly startTimer?: StartTimer;
  readonly pool?: ConnectionPool;
}

export interface OutboundPost {
  /** Must begin with `https://`. */
  readonly url: string;
  /** By name. Those that belong to the connection are the client's own. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** From the look-up of the name to the last byte of the answer. */
  readonly timeoutMs: number;
  /** Aborts the request, in whatever stage it is. */
  readonly signal?: AbortSignal;
}

/** An answer, and how long it took from the look-up to its last byte that was read. */
export type TimedAnswer = OutboundAnswer & { readonly durationMs: number };

/** Headers that say how bytes travel, which no caller may set. */
const reservedHeader =
  /^(?:accept-encoding|connection|content-length|expect|host|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade)$/;

/**
 * The one way to an address that a user can set. It connects to nothing that was not vetted for the very
 * request, follows no redirect, heeds no proxy, and judges no status: each answer that came whole is an answer.
 */
export class OutboundClient {
  readonly #allowed: readonly IpRange[];
  readonly #resolve: ResolveName;
  readonly #startTimer: StartTimer;
  readonly #pool: ConnectionPool;
  readonly #running = new Set<Deadline>();
  #isClosed = false;

  constructor({
    allowedNetworks,
    resolve = nameResolver(),
    startTimer: start = startTimer,
    pool = new ConnectionPool(),
  }: OutboundClientOptions) {
    this.#allowed = allowedNetworks;
    this.#resolve = resolve;
    this.#startTimer = start;
    this.#pool = pool;
  }

  /**
   * Posts and reads the answer, at most 64 KiB of its body.
   * @throws OutboundError for whatever prevents an answer
   * @throws TypeError for headers that are the client's own
   */
  async post({ url, headers, body, timeoutMs, signal }: OutboundPost): Promise<TimedAnswer> {
    const startedMs = performance.now();
    const own = ownHeaders(headers);
    const bytes = typeof body === "string" ? Buffer.from(body) : viewOf(body);
    const target = readTarget(url);
    const progress: Progress = { stage: "resolve", isReused: false, hasAnswerBytes: false };
    const deadline = new Deadline({ timeoutMs, signal, startTimer: this.#startTimer });
    this.#running.add(deadline);
    if (this.#isClosed) deadline.abort();
    try {
      const looking = vettedAddresses(target, this.#allowed, this.#resolve, deadline.signal);
      const addresses = await deadline.bound(looking);
      const request = { target, addresses, headers: own, body: bytes, signal: deadline.signal };
      const answer = await deadline.bound(this.#send(request, progress));
      return { ...answer, durationMs: Math.round(performance.now() - startedMs) };
    } catch (error) {
      throw explainFailure(error, progress, deadline);
    } finally {
      this.#running.delete(deadline);
      deadline.release();
    }
  }

  /** Aborts what is in flight, closes all connections and refuses further requests. */
  close(): void {
    this.#isClosed = true;
    for (const deadline of this.#running) deadline.abort();
    this.#pool.close();
  }

  /** Sends, and once more where the kept connection turned out to be dead. */
  async #send(request: Omit<Exchange, "agent">, progress: Progress): Promise<OutboundAnswer> {
    try {
      return await exchangeOn(this.#pool.lease(request.target, request.addresses), request, progress);
    } catch (error) {
      if (request.signal.aborted || !isStaleConnection(error, progress)) throw error;
      return await exchangeOn(freshLease(), request, progress);
    }
  }
}

async function exchangeOn(
  { agent, release }: Lease,
  request: Omit<Exchange, "agent">,
  progress: Progress,
): Promise<OutboundAnswer> {
  try {
    return await exchange({ ...request, agent }, progress);
  } finally {
    release();
  }
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

function ownHeaders(headers: Readonly<Record<string, string>>): Readonly<Record<string, string>> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const reserved = lower.find(([name]) => reservedHeader.test(name));
  if (reserved) throw new TypeError(`The header ${reserved[0]} is the outbound client's own.`);
  return Object.fromEntries(lower);
}
