import type { ActionSchema, Context, Middleware } from "moleculer";
import { compileCheck, type Schema } from "../lib/validator.ts";

/** Refuses a call whose params are not as the action's `schema` says, on the node that runs the action. */
export function validationMiddleware(): Middleware {
  return {
    name: "Validation",
    localAction: (next: (ctx: Context) => unknown, action: ActionSchema & { schema?: Schema }) => {
      if (!action.schema) return next;
      const check = compileCheck(action.schema);
      return (ctx: Context) => {
        const fault = check(ctx.params ?? {});
        return fault ? Promise.reject(fault) : next(ctx);
      };
    },
  };
}
