import { UniqueViolation } from "../../db/database.ts";
import type { Caller } from "../../lib/caller.ts";
import { invalidMember, notFound, ServiceError } from "../../lib/errors.ts";
import { idTimeMs, newId } from "../../lib/ids.ts";
import type { Outbox, OutboxTransaction } from "../../mixins/outbox.ts";
import { isEmail } from "./email.ts";
import type { UserRow } from "./user.entity.ts";
import { deleteUser, insertUser, lockFirstAdmins, lockUser, updateUser } from "./user.repository.ts";
import type { NewUser, UserPatch, UserResource } from "./user.schema.ts";
import { toResource } from "./user-view.ts";

export interface UserWriterOptions {
  readonly outbox: Outbox;
  /** Called once it is durable that a user may do something else than before, or nothing. */
  readonly accessChanged: () => Promise<void>;
  /** A clock in milliseconds since 1970. */
  readonly nowMs?: () => number;
}

/** Everything that changes users. Row, words, counts and events of one request come together or not at all. */
export class UserWriter {
  readonly #outbox: Outbox;
  readonly #accessChanged: () => Promise<void>;
  readonly #nowMs: () => number;

  constructor({ outbox, accessChanged, nowMs = Date.now }: UserWriterOptions) {
    this.#outbox = outbox;
    this.#accessChanged = accessChanged;
    this.#nowMs = nowMs;
  }

  /**
   * Creates an active user and tells of the invitation.
   * @throws ServiceError 400 where `email` is no address, 409 where the workspace has a user with it
   */
  async create(caller: Caller, user: NewUser): Promise<UserResource> {
    if (!isEmail(user.email)) throw invalidMember("email", "must be an email address");
    const id = newId("user", this.#nowMs());
    const createdAtMs = idTimeMs("user", id);
    const row = {
      ...user,
      id,
      workspace_id: caller.workspaceId,
      status: "active",
      created_at: createdAtMs,
    } as const;
    const created = toResource({ ...row, updated_at: createdAtMs });
    return await refusingTaken(() =>
      this.#outbox.transaction(caller, async (transaction) => {
        await insertUser(transaction, row);
        await transaction.emit([{ event: "user.invited", data: { ...created, invited_by: caller.userId } }]);
        return created;
      }),
    );
  }

  /**
   * Changes the members that the patch has; an empty one changes nothing.
   * @throws ServiceError 404, or 409 where the workspace would lose its last active admin
   */
  async update(caller: Caller, { id, ...patch }: UserPatch): Promise<UserResource> {
    let isAccessChanged = false;
    const user = await this.#outbox.transaction(caller, async (transaction) => {
      const row = await (takesAdminAway(patch) ? lockRemovable : lockExisting)(transaction, caller, id);
      const next = patched(row, patch, this.#nowMs());
      if (next !== row) await updateUser(transaction, row, next);
      isAccessChanged = next.role !== row.role || next.status !== row.status;
      return toResource(next);
    });
    if (isAccessChanged) await this.#accessChanged();
    return user;
  }

  /**
   * Removes a user and their keys for good.
   * @throws ServiceError 404, or 409 where the workspace would lose its last active admin
   */
  async remove(caller: Caller, id: string): Promise<void> {
    await this.#outbox.transaction(caller, async (transaction) => {
      const row = await lockRemovable(transaction, caller, id);
      await deleteUser(transaction, row);
      await transaction.emit([
        { event: "user.removed", data: { ...toResource(row), removed_by: caller.userId } },
      ]);
    });
    await this.#accessChanged();
  }
}

/** The row as the patch makes it; the row itself where the patch has nothing. */
function patched(row: UserRow, { name, role, status }: Omit<UserPatch, "id">, nowMs: number): UserRow {
  if (name === undefined && role === undefined && status === undefined) return row;
  return {
    ...row,
    name: name ?? row.name,
    role: role ?? row.role,
    status: status ?? row.status,
    // Later than before even where the clock stood still, so that a change always shows.
    updated_at: Math.max(nowMs, row.updated_at + 1),
  };
}

function takesAdminAway({ role = "admin", status = "active" }: Omit<UserPatch, "id">): boolean {
  return role !== "admin" || status !== "active";
}

/** The user as they are until the transaction ends. Throws 404 where the workspace has none with the id. */
async function lockExisting(
  transaction: OutboxTransaction,
  { workspaceId }: Caller,
  id: string,
): Promise<UserRow> {
  const row = await lockUser(transaction, workspaceId, id);
  if (!row) throw notFound("user");
  return row;
}

/** The same, of a user who may stop being an active admin: where the last one would, it throws 409. */
async function lockRemovable(transaction: OutboxTransaction, caller: Caller, id: string): Promise<UserRow> {
  const admins = await lockFirstAdmins(transaction, caller.workspaceId);
  const row = await lockExisting(transaction, caller, id);
  const isActiveAdmin = row.role === "admin" && row.status === "active";
  if (!isActiveAdmin || admins.some((other) => other !== id)) return row;
  throw new ServiceError(
    "conflict",
    "This is the workspace's last active admin: make another user an admin first.",
  );
}

/** Runs work that writes a new address; the unique index knows, however many write it at once. */
async function refusingTaken<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw new ServiceError("conflict", "The workspace has a user with this email already.", {
      details: [{ path: "email", message: "is the email of another user" }],
      cause: error,
    });
  }
}
