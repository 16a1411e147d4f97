import type { Service, ServiceSchema, ServiceSettingSchema } from "moleculer";
import { ServiceError } from "../../lib/errors.ts";
import { actionOf } from "../../mixins/action.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import { forgetOtherKeys } from "../../mixins/known-keys.ts";
import { noParamsSchema } from "../../mixins/params.schema.ts";
import type { Resealed } from "../../mixins/reseal.ts";
import { cipherOf } from "../../mixins/secrets.middleware.ts";

const action = actionOf<Service>();

/** The actions that seal anew what is sealed in one table each. */
const resealActions = ["integrations.reseal", "webhooks.reseal"] as const;

/** The change of the secret key, for operators: no HTTP route leads here. */
const secretsService: ServiceSchema<ServiceSettingSchema, object, object, Service> = {
  name: "secrets",
  actions: {
    /** Seals everything with the current key. Where all could be read, SECRET_KEY_PREVIOUS is needed no more. */
    reseal: action<object>({
      permission: "operate",
      // It takes as long as there are secrets.
      timeout: 0,
      schema: noParamsSchema,
      async handler(ctx) {
        const cipher = cipherOf(this.broker);
        const total = { resealed: 0, unreadable: 0 };
        for (const name of resealActions) {
          const { key_id, resealed, unreadable } = await ctx.call<Resealed>(name);
          if (key_id !== cipher.keyId) throw differentKeys();
          total.resealed += resealed;
          total.unreadable += unreadable;
        }
        if (total.unreadable === 0) await forgetOtherKeys(databaseOf(this.broker), cipher);
        return total;
      },
    }),
  },
};

function differentKeys(): ServiceError {
  return new ServiceError(
    "conflict",
    "The nodes seal with different keys: start all of them with the same SECRET_KEY, then try again.",
  );
}

export default secretsService;
