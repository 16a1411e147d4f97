import type { Service, ServiceSchema, ServiceSettingSchema } from "moleculer";
import { actionOf } from "../../mixins/action.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import { announceKeysChanged } from "../../mixins/keys-changed.ts";
import { type OneItemParams, oneItemSchema } from "../../mixins/params.schema.ts";
import {
  type AuthenticateParams,
  authenticateSchema,
  type CreateKeyParams,
  createKeySchema,
  type ListKeysParams,
  listKeysSchema,
} from "./key.schema.ts";
import { Keys } from "./keys.ts";

interface KeysService extends Service {
  keys: Keys;
}

const action = actionOf<KeysService>();

/** API keys: on whose behalf a request comes, and what operators do with keys. No HTTP route leads here. */
const keysService: ServiceSchema<ServiceSettingSchema, object, object, KeysService> = {
  name: "keys",

  actions: {
    authenticate: action<AuthenticateParams>({
      permission: "operate",
      schema: authenticateSchema,
      handler(ctx) {
        return this.keys.authenticate(ctx.params.hash);
      },
    }),

    create: action<CreateKeyParams>({
      permission: "operate",
      schema: createKeySchema,
      handler(ctx) {
        return this.keys.create(ctx.params);
      },
    }),

    list: action<ListKeysParams>({
      permission: "operate",
      schema: listKeysSchema,
      handler(ctx) {
        return this.keys.list(ctx.params);
      },
    }),

    revoke: action<OneItemParams>({
      permission: "operate",
      schema: oneItemSchema,
      async handler(ctx) {
        const revoked = await this.keys.revoke(ctx.params.id);
        await announceKeysChanged(this);
        return revoked;
      },
    }),
  },

  started() {
    this.keys = new Keys(databaseOf(this.broker));
  },
};

export default keysService;
