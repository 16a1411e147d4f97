import type { ServiceBroker } from "moleculer";
import type { Transaction } from "../../../../db/database.ts";
import { newApiKey } from "../../../../lib/api-key.ts";
import { type Caller, type Role, roles } from "../../../../lib/caller.ts";
import { newId } from "../../../../lib/ids.ts";
import { databaseOf } from "../../../../mixins/database.middleware.ts";
import { Outbox } from "../../../../mixins/outbox.ts";
import { insertKey } from "../../../../services/keys/key.repository.ts";
import type { NewRecord } from "../../../../services/records/record.schema.ts";
import { RecordWriter } from "../../../../services/records/record-writer.ts";
import { insertUser } from "../../../../services/users/user.repository.ts";
import { insertWorkspace } from "../../../../services/workspaces/workspace.repository.ts";

type ByRole = Readonly<Record<Role, string>>;

/** A workspace with a user and a key of each role. */
export interface Side {
  readonly workspaceId: string;
  readonly users: ByRole;
  readonly keys: ByRole;
}

/** What a row of the table finds when it begins: two workspaces that know nothing of each other. */
export interface World {
  readonly home: Side;
  readonly foreign: Side;
  /** Ids of the home workspace's records, in the order in which they were made. */
  readonly first: string;
  readonly second: string;
  /** The one that is archived. */
  readonly third: string;
  /** The id of a record that was deleted. */
  readonly gone: string;
  /** The id of a record of the foreign workspace. */
  readonly theirs: string;
  /** An id that no record ever had. */
  readonly unknown: string;
  /** Ids of the records that the row itself asked for. */
  readonly given: readonly string[];
}

export const firstRecord = {
  name: "First",
  type: "note",
  fields: { colour: "red", size: "10 m" },
  tags: ["a", "b"],
};

const seeds: readonly NewRecord[] = [
  firstRecord,
  { name: "Second", type: "task", fields: { colour: "dark red" } },
  { name: "Third", type: "note", tags: ["c"] },
  { name: "Gone", type: "note" },
];

/**
 * Makes a world in the database of a running program, past its HTTP interface, so that no limit of that counts.
 * @param given further records of the home workspace
 */
export async function newWorld(broker: ServiceBroker, given: readonly NewRecord[] = []): Promise<World> {
  const home = newSide();
  const foreign = newSide();
  const database = databaseOf(broker);
  await database.transaction(async (transaction) => {
    await insertSide(transaction, home);
    await insertSide(transaction, foreign);
  });
  const writer = new RecordWriter(new Outbox(database, () => {}));
  const [created, [{ id: theirs } = { id: "" }]] = await Promise.all([
    writer.createMany(callerOf(home), [...seeds, ...given]),
    writer.createMany(callerOf(foreign), [
      { ...firstRecord, name: "Theirs" },
      { ...firstRecord, name: "Theirs too" },
    ]),
  ]);
  const [first = "", second = "", third = "", gone = "", ...rest] = created.map(({ id }) => id);
  await Promise.all([
    writer.update(callerOf(home), { id: third, status: "archived" }),
    writer.remove(callerOf(home), gone),
  ]);
  return { home, foreign, first, second, third, gone, theirs, unknown: newId("record"), given: rest };
}

function newSide(): Side {
  const byRole = (make: () => string): ByRole => ({ viewer: make(), editor: make(), admin: make() });
  return { workspaceId: newId("workspace"), users: byRole(() => newId("user")), keys: byRole(newApiKey) };
}

function callerOf({ workspaceId, users }: Side): Caller {
  return { workspaceId, userId: users.editor, keyId: newId("key"), role: "editor" };
}

async function insertSide(transaction: Transaction, { workspaceId, users, keys }: Side): Promise<void> {
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
