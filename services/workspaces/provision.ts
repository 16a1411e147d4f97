/**
 * A workspace is of use only with an admin and a key, and the three come together or not at all. So this file
 * writes the tables of three services in one transaction: the one place where a service reaches into the
 * folders of others.
 */
import type { Sql, Transaction } from "../../db/database.ts";
import { hashApiKey, newApiKey } from "../../lib/api-key.ts";
import { invalidMember } from "../../lib/errors.ts";
import { newId } from "../../lib/ids.ts";
import { isoTime } from "../../lib/iso-time.ts";
import { findCaller, insertKey } from "../keys/key.repository.ts";
import { isEmail } from "../users/email.ts";
import { insertUser } from "../users/user.repository.ts";
import { insertWorkspace } from "./workspace.repository.ts";
import type { CreatedWorkspace, CreateWorkspaceParams } from "./workspace.schema.ts";

const DEFAULT_USER_NAME = "Admin";
const KEY_NAME = "First key";

/**
 * Writes a workspace, its admin user and a key of that user.
 * @param key the key, where it is given and not made
 * @param nowMs milliseconds since 1970
 * @throws ServiceError `invalid_request` where `email` is no address, before anything is written
 */
export async function provisionWorkspace(
  transaction: Transaction,
  { name, email, user_name = DEFAULT_USER_NAME }: CreateWorkspaceParams,
  nowMs: number,
  key: string = newApiKey(),
): Promise<CreatedWorkspace> {
  if (!isEmail(email)) throw invalidMember("email", "must be an email address");
  const workspace = { id: newId("workspace", nowMs), name, created_at: nowMs };
  const user = { id: newId("user", nowMs), email, name: user_name, role: "admin", status: "active" } as const;
  const keyId = newId("key", nowMs);
  const owned = { workspace_id: workspace.id, created_at: nowMs };
  await insertWorkspace(transaction, workspace);
  await insertUser(transaction, { ...user, ...owned });
  await insertKey(transaction, { id: keyId, user_id: user.id, name: KEY_NAME, key, ...owned });
  return {
    workspace: { ...workspace, created_at: isoTime(nowMs) },
    user,
    key: { id: keyId, key },
  };
}

/** Whether a client that shows this key is let in. */
export async function isWorkingKey(sql: Sql, key: string): Promise<boolean> {
  return (await findCaller(sql, hashApiKey(key))) !== undefined;
}
