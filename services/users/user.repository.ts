import type { Sql, Transaction } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { insertRows } from "../../db/insert-rows.ts";
import { findItem, findItems } from "../../db/listing/find-items.ts";
import { type CountedItem, changeCounts } from "../../db/listing/list-counts.ts";
import { joinWords, splitWords } from "../../db/listing/stored-words.ts";
import { deleteWords, replaceWords } from "../../db/listing/word-index.ts";
import { emailKey } from "./email.ts";
import type { UserRow } from "./user.entity.ts";
import { userListing } from "./user-listing.ts";

/** A user as it is made: what follows from the rest is worked out here. */
export type NewUserRow = Omit<UserRow, "email_key" | "updated_at" | "words">;

/** What the interface shows of a user. */
export type ShownRow = Omit<UserRow, "workspace_id" | "email_key" | "words">;
const shownColumns = ["id", "email", "name", "role", "status", "created_at", "updated_at"] as const;

/** The user, or undefined where this workspace has none with the id. */
export async function findUser(sql: Sql, workspaceId: string, id: string): Promise<ShownRow | undefined> {
  return await findItem<ShownRow>(sql, "users", shownColumns, workspaceId, id);
}

/** The users with these ids that the workspace has, in the order of the ids. */
export async function findUsers(sql: Sql, workspaceId: string, ids: readonly string[]): Promise<ShownRow[]> {
  return await findItems<ShownRow>(sql, "users", shownColumns, workspaceId, ids);
}

/** The whole row, kept from others' changes until the transaction ends; undefined where there is none. */
export async function lockUser(
  transaction: Transaction,
  workspaceId: string,
  id: string,
): Promise<UserRow | undefined> {
  const [row] = await transaction.query<UserRow>(
    `SELECT id, workspace_id, email, email_key, name, role, status, created_at, updated_at, words FROM users
      WHERE id = ? AND workspace_id = ? ${dialectSql[transaction.dialect].forUpdate}`,
    [id, workspaceId],
  );
  return row;
}

/**
 * The first two active admins of a workspace, kept so until the transaction ends. Whoever takes an admin away
 * takes these first: so of two that take the last two away one waits, and then finds a single one left.
 */
export async function lockFirstAdmins(transaction: Transaction, workspaceId: string): Promise<string[]> {
  const { useIndex, forUpdate } = dialectSql[transaction.dialect];
  const rows = await transaction.query<{ id: string }>(
    `SELECT id FROM users ${useIndex("users_role")}
      WHERE workspace_id = ? AND status = 'active' AND role = 'admin' ORDER BY id LIMIT 2 ${forUpdate}`,
    [workspaceId],
  );
  return rows.map(({ id }) => id);
}

/**
 * Writes a user, with what it is found and counted by.
 * @throws UniqueViolation where the workspace has a user with this address
 */
export async function insertUser(transaction: Transaction, user: NewUserRow): Promise<void> {
  const row = {
    ...user,
    email_key: emailKey(user.email),
    updated_at: user.created_at,
    words: findableWords(user),
  } satisfies UserRow;
  await insertRows(transaction, "users", Object.keys(row), [Object.values(row)]);
  await replaceWords(transaction, userListing.index, { ...row, words: null }, row.words);
  await changeCounts(transaction, userListing, row.workspace_id, { come: [counted(row)] });
}

/** Writes everything of a user that can change, and what it is found and counted by. */
export async function updateUser(
  transaction: Transaction,
  before: UserRow,
  after: Omit<UserRow, "words">,
): Promise<void> {
  const words = findableWords(after);
  await transaction.execute(
    "UPDATE users SET name = ?, role = ?, status = ?, updated_at = ?, words = ? WHERE id = ?",
    [after.name, after.role, after.status, after.updated_at, words, after.id],
  );
  await replaceWords(transaction, userListing.index, before, words);
  await changeCounts(transaction, userListing, before.workspace_id, {
    gone: [counted(before)],
    come: [counted(after)],
  });
}

/** Removes a user with what it is found and counted by; the database removes the user's keys. */
export async function deleteUser(transaction: Transaction, row: UserRow): Promise<void> {
  const { id, workspace_id, words } = row;
  await transaction.execute("DELETE FROM users WHERE id = ?", [id]);
  await deleteWords(transaction, userListing.index, workspace_id, id, splitWords(words ?? ""));
  await changeCounts(transaction, userListing, workspace_id, { gone: [counted(row)] });
}

/** The texts that a user is found by. */
export function searchedTexts({ name, email }: Pick<UserRow, "name" | "email">): string[] {
  return [name, email];
}

function findableWords(user: Pick<UserRow, "name" | "email">): string {
  return joinWords(searchedTexts(user));
}

function counted({ id, role, status }: Pick<UserRow, "id" | "role" | "status">): CountedItem {
  return { id, group: role, status };
}
