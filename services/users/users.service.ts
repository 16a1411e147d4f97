import type { Service, ServiceSchema, ServiceSettingSchema } from "moleculer";
import { reindex } from "../../db/listing/reindex.ts";
import { actionOf, callerOf } from "../../mixins/action.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import { announceKeysChanged } from "../../mixins/keys-changed.ts";
import { type OutboxHost, outboxMixin } from "../../mixins/outbox.mixin.ts";
import { type OneItemParams, oneItemSchema } from "../../mixins/params.schema.ts";
import { searchIndexMixin } from "../../mixins/search-index.mixin.ts";
import {
  createUserSchema,
  type ListUsersParams,
  listUsersSchema,
  type NewUser,
  type UserPatch,
  updateUserSchema,
} from "./user.schema.ts";
import { getUser, listUsers } from "./user-list.ts";
import { reindexedUsers } from "./user-reindex.ts";
import { UserWriter } from "./user-writer.ts";

interface UsersService extends Service, OutboxHost {
  writer: UserWriter;
}

const action = actionOf<UsersService>();

/** The members of a workspace. What a change of one means for their keys holds from the answer on. */
const usersService: ServiceSchema<ServiceSettingSchema, object, object, UsersService> = {
  name: "users",

  mixins: [
    outboxMixin,
    searchIndexMixin("users", (database, signal) => reindex(database, reindexedUsers, signal)),
  ],

  actions: {
    list: action<ListUsersParams>({
      permission: "read",
      schema: listUsersSchema,
      handler(ctx) {
        return listUsers(databaseOf(this.broker).read, callerOf(ctx), ctx.params);
      },
    }),

    get: action<OneItemParams>({
      permission: "read",
      schema: oneItemSchema,
      handler(ctx) {
        return getUser(databaseOf(this.broker).read, callerOf(ctx), ctx.params.id);
      },
    }),

    create: action<NewUser>({
      permission: "administer",
      schema: createUserSchema,
      handler(ctx) {
        return this.writer.create(callerOf(ctx), ctx.params);
      },
    }),

    update: action<UserPatch>({
      permission: "administer",
      schema: updateUserSchema,
      handler(ctx) {
        return this.writer.update(callerOf(ctx), ctx.params);
      },
    }),

    remove: action<OneItemParams>({
      permission: "administer",
      schema: oneItemSchema,
      async handler(ctx) {
        await this.writer.remove(callerOf(ctx), ctx.params.id);
        return null;
      },
    }),
  },

  started() {
    this.writer = new UserWriter({
      outbox: this.outbox,
      accessChanged: () => announceKeysChanged(this),
    });
  },
};

export default usersService;
