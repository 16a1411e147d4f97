import type { Service, ServiceSchema, ServiceSettingSchema } from "moleculer";
import { actionOf } from "../../mixins/action.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import { differentKeys, forgetRetiredKeys, retireOtherKeys } from "../../mixins/known-keys.ts";
import { noParamsSchema } from "../../mixins/params.schema.ts";
import type { Resealed } from "../../mixins/reseal.ts";
import { cipherOf } from "../../mixins/secrets.middleware.ts";

const action = actionOf<Service>();

/** The actions that seal anew what is sealed in one table each. */
const resealActions = ["integrations.reseal", "webhooks.reseal"] as const;

/** The change of the secret key, for operators: no HTTP route leads here. */
const secretsService: ServiceSchema<ServiceSettingSchema, object, object, Service> = {
  name: "secrets",
  metadata: { sealsSecrets: true },
  actions: {
    /**
     * Seals everything with the current key, and lets no other key seal from its begin on. Where all could be
     * read, SECRET_KEY_PREVIOUS is needed no more. One that was cut off is completed by the next.
     */
    reseal: action<object>({
      permission: "operate",
      // It takes as long as there are secrets.
      timeout: 0,
      schema: noParamsSchema,
      async handler(ctx) {
        const cipher = cipherOf(this.broker);
        const database = databaseOf(this.broker);
        await retireOtherKeys(database, cipher);
        const total = { resealed: 0, unreadable: 0 };
        for (const name of resealActions) {
          const { key_id, resealed, unreadable } = await ctx.call<Resealed>(name);
          if (key_id !== cipher.keyId) throw differentKeys();
          total.resealed += resealed;
          total.unreadable += unreadable;
        }
        if (total.unreadable === 0) await forgetRetiredKeys(database);
        return total;
      },
    }),
  },
};

export default secretsService;
