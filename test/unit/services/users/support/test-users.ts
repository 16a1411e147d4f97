import type { Database } from "../../../../../db/database.ts";
import type { Caller } from "../../../../../lib/caller.ts";
import type { EventName } from "../../../../../lib/event-names.ts";
import { newId } from "../../../../../lib/ids.ts";
import type { ListResult } from "../../../../../lib/paging.ts";
import { Outbox, type OutboxNotice } from "../../../../../mixins/outbox.ts";
import type { ListUsersParams, NewUser, UserResource } from "../../../../../services/users/user.schema.ts";
import { getUser, listUsers } from "../../../../../services/users/user-list.ts";
import { UserWriter } from "../../../../../services/users/user-writer.ts";
import { provisionWorkspace } from "../../../../../services/workspaces/provision.ts";
import { newTestClock, type TestClock } from "../../../../support/test-clock.ts";

/** A new workspace on a database, and everything that writes and reads its users. */
export interface UserWorkspace {
  /** The admin that the workspace was made with, and their key. */
  readonly caller: Caller;
  readonly key: string;
  readonly writer: UserWriter;
  readonly clock: TestClock;
  /** What was told after commits, in that order. */
  readonly notices: (OutboxNotice & { readonly event: EventName })[];
  /** How often it was said that somebody's keys open something else now. */
  readonly access: { changes: number };
  list(params?: ListUsersParams): Promise<ListResult<UserResource>>;
  get(id: string): Promise<UserResource>;
  create(user?: Partial<NewUser>): Promise<UserResource>;
}

let emails = 0;

/** Every test has a workspace to itself, so that tests can share a database. */
export async function newUserWorkspace(database: Database, clock = newTestClock()): Promise<UserWorkspace> {
  const { workspace, user, key } = await database.transaction((transaction) =>
    provisionWorkspace(transaction, { name: "Test", email: "first@admin.test" }, clock.read()),
  );
  const caller: Caller = { workspaceId: workspace.id, userId: user.id, keyId: key.id, role: "admin" };
  const notices: UserWorkspace["notices"] = [];
  const access = { changes: 0 };
  const writer = new UserWriter({
    outbox: new Outbox(database, (event, notice) => notices.push({ event, ...notice }), clock.read),
    accessChanged: async () => {
      access.changes += 1;
    },
    nowMs: clock.read,
  });
  const create = (given?: Partial<NewUser>) => {
    emails += 1;
    return writer.create(caller, {
      email: `user${emails}@example.com`,
      name: "A user",
      role: "viewer",
      ...given,
    });
  };
  return {
    caller,
    key: key.key,
    writer,
    clock,
    notices,
    access,
    list: (params = {}) => listUsers(database.read, caller, params),
    get: (id) => getUser(database.read, caller, id),
    create,
  };
}

/** An id that no user has. */
export function unknownId(): string {
  return newId("user");
}
