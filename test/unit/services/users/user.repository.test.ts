import { beforeAll, expect, test } from "@jest/globals";
import { type Database, UniqueViolation } from "../../../../db/database.ts";
import type { UserRow } from "../../../../services/users/user.entity.ts";
import { insertUser, type NewUserRow } from "../../../../services/users/user.repository.ts";
import { insertWorkspace } from "../../../../services/workspaces/workspace.repository.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";

const ada: NewUserRow = {
  id: "usr_1",
  workspace_id: "ws_1",
  email: "Ada@Example.com",
  name: "Ada",
  role: "admin",
  status: "active",
  created_at: 1_700_000_000_123,
};

describeOnBothDatabases("the users' repository", (open) => {
  let database: Database;

  const insert = (user: NewUserRow) => database.transaction((transaction) => insertUser(transaction, user));
  const users = () => database.read.query<UserRow>("SELECT * FROM users ORDER BY id");

  beforeAll(async () => {
    database = await open();
    await database.transaction(async (transaction) => {
      for (const id of ["ws_1", "ws_2"]) await insertWorkspace(transaction, { id, name: id, created_at: 1 });
    });
    await insert(ada);
  });

  test("keeps the address as it was given, beside the form that is compared", async () => {
    expect(await users()).toEqual([
      { ...ada, email_key: "ada@example.com", updated_at: ada.created_at, words: " ada example com" },
    ]);
  });

  test("writes what the user is found and counted by", async () => {
    const words = await database.read.query<{ word: string }>("SELECT word FROM user_words ORDER BY word");
    expect(words.map(({ word }) => word)).toEqual(["ada", "com", "example"]);
    const counts = await database.read.query(
      "SELECT role, status, count FROM user_counts WHERE workspace_id = 'ws_1' ORDER BY role",
    );
    expect(counts).toEqual(["", "admin"].map((role) => ({ role, status: "active", count: 1 })));
  });

  test("takes an address once in a workspace, whatever its case", async () => {
    await expect(insert({ ...ada, id: "usr_2", email: "ADA@example.COM" })).rejects.toThrow(UniqueViolation);
    expect(await users()).toHaveLength(1);
  });

  test("takes the same address in another workspace", async () => {
    await insert({ ...ada, id: "usr_3", workspace_id: "ws_2" });
    expect(await users()).toHaveLength(2);
  });

  test("takes no user without a workspace", async () => {
    await expect(insert({ ...ada, id: "usr_4", workspace_id: "ws_none" })).rejects.toThrow();
    expect(await users()).toHaveLength(2);
  });
});
