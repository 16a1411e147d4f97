import { Agent } from "node:https";
import { LRUCache } from "lru-cache";
import type { Target } from "./target.ts";

const MAX_DECISIONS = 256;
const MAX_IDLE_CONNECTIONS = 4;
const IDLE_MS = 4000;
/** How long one address may take to accept a connection while there is another one to try. */
const ADDRESS_ATTEMPT_MS = 1000;

const connectionOptions = {
  // Stated, so that no variable of the environment can switch it off.
  rejectUnauthorized: true,
  // A session would let a connection begin without the certificate being judged anew.
  maxCachedSessions: 0,
  autoSelectFamily: true,
  autoSelectFamilyAttemptTimeout: ADDRESS_ATTEMPT_MS,
} as const;

interface PooledAgent {
  readonly agent: Agent;
  users: number;
  isRetired: boolean;
}

/** Connections of one decision, for one request. */
export interface Lease {
  readonly agent: Agent;
  release(): void;
}

/**
 * Keeps connections alive for some seconds, those of each decision apart: the same scheme, name, port and set
 * of vetted addresses. So none is ever used that was made under another decision.
 */
export class ConnectionPool {
  readonly #agents: LRUCache<string, PooledAgent>;

  /** @param maxDecisions for which connections are kept; the one that was not used for longest goes first */
  constructor(maxDecisions = MAX_DECISIONS) {
    this.#agents = new LRUCache({ max: maxDecisions, dispose: retire });
  }

  /** An agent whose idle connections were all made for this target and these addresses. Release it when done. */
  lease({ origin }: Target, addresses: readonly string[]): Lease {
    const key = [origin, ...addresses.toSorted()].join(" ");
    const pooled = this.#agents.get(key) ?? this.#add(key);
    pooled.users += 1;
    const release = () => {
      pooled.users -= 1;
      if (pooled.isRetired) retire(pooled);
    };
    return { agent: pooled.agent, release };
  }

  /** Closes what is idle now, and what is in use once it is not. */
  close(): void {
    this.#agents.clear();
  }

  #add(key: string): PooledAgent {
    const agent = new Agent({
      ...connectionOptions,
      keepAlive: true,
      maxFreeSockets: MAX_IDLE_CONNECTIONS,
      timeout: IDLE_MS,
    });
    const pooled = { agent, users: 0, isRetired: false };
    this.#agents.set(key, pooled);
    return pooled;
  }
}

/** An agent whose only connection is a new one, closed after its request. */
export function freshLease(): Lease {
  const agent = new Agent({ ...connectionOptions, keepAlive: false });
  return { agent, release: () => agent.destroy() };
}

function retire(pooled: PooledAgent): void {
  pooled.isRetired = true;
  if (pooled.users === 0) pooled.agent.destroy();
}
