import type { ExtendedJSONSchema, FromExtendedSchema } from "json-schema-to-ts";
import type { ActionSchema, Context } from "moleculer";
import type { Caller, Claim, Permission } from "../lib/caller.ts";

/** The keywords of our own in a JSON Schema: see lib/validator.ts. */
export type OwnKeywords = {
  readonly semantic?: readonly string[];
  readonly notBlank?: boolean;
  readonly maxKeyLength?: number;
};

export type ParamsSchema = ExtendedJSONSchema<OwnKeywords>;
export type ParamsOf<Schema extends ParamsSchema> = FromExtendedSchema<OwnKeywords, Schema>;

/** What tells a request with an `Idempotency-Key` from others, and a repeat from a misuse of its key. */
export interface IdempotentRequest {
  /** SHA-256 of path and key. */
  readonly requestHash: string;
  /** SHA-256 of what was sent. */
  readonly bodyHash: string;
}

/** What travels with a call beside its params. */
export interface CallMeta {
  caller?: Caller;
  /** Set where the call must take effect once, however often it comes. */
  idempotency?: IdempotentRequest;
}

/** What stays on the node that runs the action, and does not travel on with calls that it makes. */
export interface CallLocals {
  claim?: Claim;
}

export interface ActionDefinition<Params, This> {
  /** What the caller's role must carry; the gateway asks before it reads a body. */
  readonly permission: Permission;
  /** JSON Schema of the params: an object's. */
  readonly schema: ParamsSchema;
  /** How long a call may take, in milliseconds; 0 for as long as it takes. Without it the broker's own limit holds. */
  readonly timeout?: number;
  /** Whether what the action gives back holds a secret: where it is stored, it is sealed. */
  readonly answerIsSecret?: boolean;
  readonly handler: (this: This, ctx: Context<Params, CallMeta>) => Promise<unknown>;
}

/**
 * Gives a function that declares the actions of one service, each with its permission and the schema that
 * validates its params. The type of the params is the one that the schema's file derives from it.
 */
export function actionOf<This>() {
  return <Params>(definition: ActionDefinition<Params, This>): ActionSchema<This> => definition;
}

/**
 * On whose behalf the call runs, with the claim to its answer if there is one. Throws where nobody said: only
 * the gateway and operators' tools call from outside.
 */
export function callerOf({ meta, locals }: Context<unknown, CallMeta, CallLocals>): Caller {
  if (!meta.caller) throw new Error("This action needs a caller in the call's meta.");
  return locals.claim ? { ...meta.caller, claim: locals.claim } : meta.caller;
}
