import type { ActionSchema, Context, Middleware, ServiceBroker } from "moleculer";
import type { Database } from "../db/database.ts";
import type { Caller, Claim } from "../lib/caller.ts";
import { CannotOpen } from "../lib/cipher.ts";
import { ServiceError } from "../lib/errors.ts";
import { parseOrdered } from "../lib/ordered-json.ts";
import type { CallLocals, CallMeta, IdempotentRequest } from "./action.ts";
import { databaseOf } from "./database.middleware.ts";
import { claimRequest, releaseClaim, storeAnswer } from "./idempotency.ts";
import { IdempotencySweeper } from "./idempotency-sweeper.ts";
import { cipherOf } from "./secrets.middleware.ts";

type Call = Context<unknown, CallMeta, CallLocals>;
type Handler = (ctx: Call) => unknown;
type Vault = NonNullable<Claim["vault"]>;

/**
 * Lets a request with an `Idempotency-Key` take effect once, on the node that runs its action: a repeat gets
 * the first answer back. Stands behind the middlewares that open the database and find the secret key. Also
 * clears away what has expired.
 */
export function idempotencyMiddleware(): Middleware {
  const sweepers = new WeakMap<ServiceBroker, IdempotencySweeper>();
  return {
    name: "Idempotency",

    localAction: (next: Handler, { answerIsSecret }: ActionSchema & { answerIsSecret?: boolean }) => {
      return (ctx: Call) => {
        const { caller, idempotency } = ctx.meta;
        return caller && idempotency ? once(next, ctx, caller, idempotency, answerIsSecret) : next(ctx);
      };
    },

    started: async (broker: ServiceBroker) => {
      const sweeper = new IdempotencySweeper(databaseOf(broker), (error) =>
        broker.logger.warn(
          "Expired idempotency keys could not be removed; the next sweep tries again.",
          error,
        ),
      );
      sweepers.set(broker, sweeper);
      sweeper.start();
    },

    stopping: async (broker: ServiceBroker) => {
      await sweepers.get(broker)?.stop();
    },
  };
}

/** Gives the answer of the one call that takes effect, whichever it was. */
async function once(
  next: Handler,
  ctx: Call,
  { workspaceId }: Caller,
  request: IdempotentRequest,
  answerIsSecret = false,
): Promise<unknown> {
  const database = databaseOf(ctx.broker);
  const vault = answerIsSecret ? vaultFor(ctx.broker, workspaceId, request) : undefined;
  const claimed = await claimRequest(database, workspaceId, {
    requestHash: request.requestHash,
    // A body may hold a secret, and a plain hash of it would let who reads the table try secrets one by one.
    bodyHashes: cipherOf(ctx.broker).fingerprints(request.bodyHash),
  });
  if ("answer" in claimed) return parseOrdered(vault ? openAnswer(vault, claimed.answer) : claimed.answer);
  const claim: Claim = {
    requestHash: request.requestHash,
    id: claimed.claimId,
    vault,
    isAnswered: false,
  };
  // It is this call's alone: those that the action makes must not take it for theirs.
  ctx.meta = { ...ctx.meta, idempotency: undefined };
  ctx.locals.claim = claim;
  return await work(next, ctx, database, workspaceId, claim);
}

async function work(
  next: Handler,
  ctx: Call,
  database: Database,
  workspaceId: string,
  claim: Claim,
): Promise<unknown> {
  try {
    const result = await next(ctx);
    // The action wrote nothing with which its answer could have been stored.
    if (!claim.isAnswered) {
      await database.transaction((transaction) => storeAnswer(transaction, workspaceId, claim, result));
    }
    return result;
  } catch (error) {
    // Where this fails too, as it does while the database is away, the claim ends by itself.
    await releaseClaim(database, workspaceId, claim).catch(() => undefined);
    throw error;
  }
}

/** How answers that hold a secret are stored: each opens for the request that it answers, and for no other. */
function vaultFor(broker: ServiceBroker, workspaceId: string, { requestHash }: IdempotentRequest): Vault {
  return { cipher: cipherOf(broker), place: `idempotency/${workspaceId}/${requestHash}` };
}

/** @throws ServiceError `conflict` where it does not open any more: it took effect, so it must not run again */
function openAnswer({ cipher, place }: Vault, sealed: string): string {
  try {
    return cipher.open(sealed, place);
  } catch (cause) {
    if (!(cause instanceof CannotOpen)) throw cause;
    throw new ServiceError(
      "conflict",
      "The request with this Idempotency-Key took effect, and its answer cannot be read any more.",
      { cause },
    );
  }
}
