import type { ExtendedJSONSchema, FromExtendedSchema } from "json-schema-to-ts";
import type { ActionSchema, Context } from "moleculer";
import type { Caller, Permission } from "../lib/caller.ts";

/** The keywords of our own in a JSON Schema: see lib/validator.ts. */
export type OwnKeywords = {
  readonly semantic?: readonly string[];
  readonly notBlank?: boolean;
  readonly maxKeyLength?: number;
};

export type ParamsSchema = ExtendedJSONSchema<OwnKeywords>;
export type ParamsOf<Schema extends ParamsSchema> = FromExtendedSchema<OwnKeywords, Schema>;

/** What travels with a call beside its params. */
export interface CallMeta {
  caller?: Caller;
}

export interface ActionDefinition<Params, This> {
  /** What the caller's role must carry; the gateway asks before it reads a body. */
  readonly permission: Permission;
  /** JSON Schema of the params: an object's. */
  readonly schema: ParamsSchema;
  readonly handler: (this: This, ctx: Context<Params, CallMeta>) => Promise<unknown>;
}

/**
 * Gives a function that declares the actions of one service, each with its permission and the schema that
 * validates its params. The type of the params is the one that the schema's file derives from it.
 */
export function actionOf<This>() {
  return <Params>(definition: ActionDefinition<Params, This>): ActionSchema<This> => definition;
}

/** On whose behalf the call runs. Throws where nobody said: only the gateway and operators' tools call from outside. */
export function callerOf(ctx: Context<unknown, CallMeta>): Caller {
  if (!ctx.meta.caller) throw new Error("This action needs a caller in the call's meta.");
  return ctx.meta.caller;
}
