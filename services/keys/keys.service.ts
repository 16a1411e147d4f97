import type { Service, ServiceSchema, ServiceSettingSchema } from "moleculer";
import { actionOf } from "../../mixins/action.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import {
  type AuthenticateParams,
  authenticateSchema,
  type CreateKeyParams,
  createKeySchema,
  type ListKeysParams,
  listKeysSchema,
  type RevokeKeyParams,
  revokeKeySchema,
} from "./key.schema.ts";
import { Keys } from "./keys.ts";

interface KeysService extends Service {
  keys: Keys;
  announce(): Promise<void>;
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

    revoke: action<RevokeKeyParams>({
      permission: "operate",
      schema: revokeKeySchema,
      async handler(ctx) {
        const revoked = await this.keys.revoke(ctx.params.id);
        // Whoever remembers callers forgets them; on this node before the answer is given.
        await this.announce();
        return revoked;
      },
    }),
  },

  methods: {
    async announce(this: KeysService) {
      try {
        await this.broker.broadcast("keys.changed");
      } catch (error) {
        this.logger.warn(
          "Not every node was told that a key changed; each forgets it by itself in seconds.",
          error,
        );
      }
    },
  },

  started() {
    this.keys = new Keys(databaseOf(this.broker));
  },
};

export default keysService;
