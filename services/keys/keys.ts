import type { Database } from "../../db/database.ts";
import { apiKeyHint, newApiKey } from "../../lib/api-key.ts";
import type { Caller } from "../../lib/caller.ts";
import { notFound, ServiceError } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import {
  findCaller,
  insertKey,
  type ListedKeyRow,
  listKeys,
  lockOwner,
  revokeKey,
} from "./key.repository.ts";
import type { CreatedKey, CreateKeyParams, KeyResource, ListKeysParams } from "./key.schema.ts";

const DEFAULT_NAME = "API key";
const DEFAULT_LIMIT = 100;

/** The API keys of all workspaces. */
export class Keys {
  readonly #database: Database;
  readonly #nowMs: () => number;

  constructor(database: Database, nowMs: () => number = Date.now) {
    this.#database = database;
    this.#nowMs = nowMs;
  }

  /**
   * On whose behalf a key acts.
   * @param hash see hashApiKey
   * @returns null where the key is unknown or revoked, or its user inactive
   */
  async authenticate(hash: string): Promise<Caller | null> {
    return (await findCaller(this.#database.read, hash)) ?? null;
  }

  /**
   * Makes a key for a user. The answer has the key itself, which nobody can show again.
   * @throws ServiceError `not_found` for an unknown user, `conflict` for an inactive one
   */
  async create({ user_id, name = DEFAULT_NAME }: CreateKeyParams): Promise<CreatedKey> {
    const key = newApiKey();
    const nowMs = this.#nowMs();
    const id = newId("key", nowMs);
    const workspace_id = await this.#database.transaction(async (transaction) => {
      const owner = await lockOwner(transaction, user_id);
      if (!owner) throw notFound("user");
      if (owner.status !== "active") {
        throw new ServiceError("conflict", "The user is inactive: a key of theirs would open nothing.");
      }
      await insertKey(transaction, {
        id,
        workspace_id: owner.workspace_id,
        user_id,
        name,
        key,
        created_at: nowMs,
      });
      return owner.workspace_id;
    });
    return { id, name, user_id, workspace_id, key, hint: apiKeyHint(key), created_at: isoTime(nowMs) };
  }

  /**
   * Keys without what could open anything, the newest first.
   * @param filter `before`: the last id of a page leads to the next one
   */
  async list({ workspace_id, before, limit = DEFAULT_LIMIT }: ListKeysParams): Promise<KeyResource[]> {
    const rows = await listKeys(this.#database.read, { workspaceId: workspace_id, before, limit });
    return rows.map(toResource);
  }

  /**
   * Takes a key back. Doing so twice is harmless: the first time counts.
   * @throws ServiceError `not_found` for an unknown key
   */
  async revoke(id: string): Promise<{ id: string; revoked_at: string }> {
    const revokedAtMs = await this.#database.transaction((transaction) =>
      revokeKey(transaction, id, this.#nowMs()),
    );
    if (revokedAtMs === undefined) throw notFound("key");
    return { id, revoked_at: isoTime(revokedAtMs) };
  }
}

function toResource(row: ListedKeyRow): KeyResource {
  return {
    id: row.id,
    name: row.name,
    hint: row.hint,
    user_id: row.user_id,
    user_email: row.user_email,
    role: row.role,
    workspace_id: row.workspace_id,
    created_at: isoTime(row.created_at),
    revoked_at: row.revoked_at === null ? null : isoTime(row.revoked_at),
  };
}
