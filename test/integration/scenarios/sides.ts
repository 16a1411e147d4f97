import type { Transaction } from "../../../db/database.ts";
import { newApiKey } from "../../../lib/api-key.ts";
import { type Caller, type Role, roles } from "../../../lib/caller.ts";
import { newId } from "../../../lib/ids.ts";
import { insertKey } from "../../../services/keys/key.repository.ts";
import { insertUser } from "../../../services/users/user.repository.ts";
import { insertWorkspace } from "../../../services/workspaces/workspace.repository.ts";
import type { Actor } from "./scenario.ts";

type ByRole = Readonly<Record<Role, string>>;

/** A workspace with a user and a key of each role. */
export interface Side {
  readonly workspaceId: string;
  readonly users: ByRole;
  readonly keys: ByRole;
}

/** What a row finds when it begins: two workspaces that know nothing of each other. */
export interface Sides {
  readonly home: Side;
  readonly foreign: Side;
}

/** A side that is not yet in the database. */
export function newSide(): Side {
  const byRole = (make: () => string): ByRole => ({ viewer: make(), editor: make(), admin: make() });
  return { workspaceId: newId("workspace"), users: byRole(() => newId("user")), keys: byRole(newApiKey) };
}

/** One of a side's users, as actions see them. */
export function callerOf({ workspaceId, users }: Side, role: Role): Caller {
  return { workspaceId, userId: users[role], keyId: newId("key"), role };
}

/** Writes a side: its users are called after their roles, and so are their addresses at example.com. */
export async function insertSide(
  transaction: Transaction,
  { workspaceId, users, keys }: Side,
): Promise<void> {
  const created_at = Date.now();
  const owned = { workspace_id: workspaceId, created_at };
  await insertWorkspace(transaction, { id: workspaceId, name: "A workspace", created_at });
  for (const role of roles) {
    const user = {
      id: users[role],
      email: `${role}@example.com`,
      name: role,
      role,
      status: "active",
    } as const;
    await insertUser(transaction, { ...user, ...owned });
    await insertKey(transaction, {
      id: newId("key"),
      user_id: users[role],
      name: role,
      key: keys[role],
      ...owned,
    });
  }
}

/** A well-formed key that nobody has. */
const strangersKey = newApiKey();

/** The key that an actor shows; null for none. */
export function keyOf({ keys }: Side, actor: Actor): string | null {
  if (actor === "nobody") return null;
  return actor === "stranger" ? strangersKey : keys[actor];
}

/** The id of the user who acts; empty for those who are none. */
export function userOf({ users }: Side, actor: Actor): string {
  return actor === "nobody" || actor === "stranger" ? "" : users[actor];
}
