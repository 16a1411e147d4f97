import type { Transaction } from "../../db/database.ts";
import { insertRows } from "../../db/insert-rows.ts";
import { emailKey } from "./email.ts";
import type { UserRow } from "./user.entity.ts";

export type NewUserRow = Omit<UserRow, "email_key" | "updated_at">;

/** @throws UniqueViolation where the workspace has a user with this address */
export async function insertUser(transaction: Transaction, user: NewUserRow): Promise<void> {
  const row = { ...user, email_key: emailKey(user.email), updated_at: user.created_at } satisfies UserRow;
  await insertRows(transaction, "users", Object.keys(row), [Object.values(row)]);
}
