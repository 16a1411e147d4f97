import type { ActionSchema, Context, Middleware } from "moleculer";
import type { ServiceError } from "../lib/errors.ts";
import { compilePacedCheck } from "../lib/paced-check.ts";
import type { Schema } from "../lib/validator.ts";

/** Refuses a call whose params are not as the action's `schema` says, on the node that runs the action. */
export function validationMiddleware(): Middleware {
  return {
    name: "Validation",
    localAction: (next: (ctx: Context) => unknown, action: ActionSchema & { schema?: Schema }) => {
      if (!action.schema) return next;
      const check = compilePacedCheck(action.schema);
      const goOn = (fault: ServiceError | undefined, ctx: Context) =>
        fault ? Promise.reject(fault) : next(ctx);
      return (ctx: Context) => {
        const fault = check(ctx.params ?? {});
        // Most checks are done at once, and so are most calls: no promise where none is needed.
        if (fault instanceof Promise) return fault.then((late) => goOn(late, ctx));
        return goOn(fault, ctx);
      };
    },
  };
}
