import type { Sql, SqlValue, Transaction } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { insertRows } from "../../db/insert-rows.ts";
import { apiKeyHint, hashApiKey } from "../../lib/api-key.ts";
import type { Caller, Role } from "../../lib/caller.ts";
import type { UserStatus } from "../users/user.schema.ts";
import type { ApiKeyRow } from "./key.entity.ts";

/** A key to be stored, in plain: here is the one place where it becomes hash and hint. */
export type NewKeyRow = Omit<ApiKeyRow, "hash" | "hint" | "revoked_at"> & { readonly key: string };

/** @throws UniqueViolation where the same key is there already */
export async function insertKey(transaction: Transaction, { key, ...rest }: NewKeyRow): Promise<void> {
  const row = {
    ...rest,
    hash: hashApiKey(key),
    hint: apiKeyHint(key),
    revoked_at: null,
  } satisfies ApiKeyRow;
  await insertRows(transaction, "api_keys", Object.keys(row), [Object.values(row)]);
}

/** On whose behalf the key with this hash acts; undefined where it is unknown, revoked, or its user inactive. */
export async function findCaller(sql: Sql, hash: string): Promise<Caller | undefined> {
  const [row] = await sql.query<{ key_id: string; user_id: string; workspace_id: string; role: Role }>(
    `SELECT api_keys.id AS key_id, users.id AS user_id, users.workspace_id, users.role
       FROM api_keys JOIN users ON users.id = api_keys.user_id
      WHERE api_keys.hash = ? AND api_keys.revoked_at IS NULL AND users.status = 'active'`,
    [hash],
  );
  if (!row) return undefined;
  return { workspaceId: row.workspace_id, userId: row.user_id, keyId: row.key_id, role: row.role };
}

export interface KeyOwner {
  workspace_id: string;
  status: UserStatus;
}

/** The user who is to get a key, kept as they are until the transaction ends. */
export async function lockOwner(transaction: Transaction, userId: string): Promise<KeyOwner | undefined> {
  const [owner] = await transaction.query<KeyOwner>(
    `SELECT workspace_id, status FROM users WHERE id = ? ${dialectSql[transaction.dialect].forUpdate}`,
    [userId],
  );
  return owner;
}

/** A key beside the user for whom it acts. */
export type ListedKeyRow = Omit<ApiKeyRow, "hash"> & { user_email: string; role: Role };

export interface KeyFilter {
  readonly workspaceId: string | undefined;
  /** An id: only keys made earlier. */
  readonly before: string | undefined;
  readonly limit: number;
}

/** Keys, the newest first. */
export async function listKeys(sql: Sql, { workspaceId, before, limit }: KeyFilter): Promise<ListedKeyRow[]> {
  const conditions: string[] = [];
  const parameters: SqlValue[] = [];
  if (workspaceId !== undefined) {
    // The users' table has the index that begins with the workspace.
    conditions.push("users.workspace_id = ?");
    parameters.push(workspaceId);
  }
  if (before !== undefined) {
    conditions.push("api_keys.id < ?");
    parameters.push(before);
  }
  return await sql.query<ListedKeyRow>(
    `SELECT api_keys.id, api_keys.workspace_id, api_keys.user_id, api_keys.name, api_keys.hint,
            api_keys.created_at, api_keys.revoked_at, users.email AS user_email, users.role
       FROM api_keys JOIN users ON users.id = api_keys.user_id
      ${conditions.length > 0 ? `WHERE ${conditions.join(" AND ")}` : ""}
      ORDER BY api_keys.id DESC LIMIT ?`,
    [...parameters, limit],
  );
}

/**
 * Revokes a key; one that was revoked before keeps its time.
 * @returns when it was revoked, in milliseconds since 1970; undefined where there is no such key
 */
export async function revokeKey(
  transaction: Transaction,
  id: string,
  nowMs: number,
): Promise<number | undefined> {
  await transaction.execute("UPDATE api_keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL", [
    nowMs,
    id,
  ]);
  const [key] = await transaction.query<{ revoked_at: number }>(
    "SELECT revoked_at FROM api_keys WHERE id = ?",
    [id],
  );
  return key?.revoked_at;
}
