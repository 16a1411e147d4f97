import { beforeAll, expect, test } from "@jest/globals";
import fc from "fast-check";
import type { Database } from "../../../../db/database.ts";
import { roles } from "../../../../lib/caller.ts";
import { type ListUsersParams, userSorts, userStatuses } from "../../../../services/users/user.schema.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { walkByCursor, walkByPage } from "../../../support/list-walks.ts";
import { newUserWorkspace } from "./support/test-users.ts";
import { modelList, modelWords } from "./support/user-model.ts";
import { UserModel, type UserOperation, userOperations } from "./support/user-operations.ts";
import { dumpUsers } from "./support/user-tables.ts";

const histories = fc.array(userOperations, { maxLength: 16 });

const listParams: fc.Arbitrary<ListUsersParams> = fc.record(
  {
    sort: fc.constantFrom(...userSorts),
    order: fc.constantFrom("asc" as const, "desc" as const),
    role: fc.constantFrom(...roles),
    status: fc.constantFrom(...userStatuses),
    q: fc.constantFrom(
      "zeb",
      "zebra",
      "a",
      "example zeb",
      "数据",
      "用户",
      "😀",
      "x.test",
      "nosuch",
      "～",
      "@",
    ),
  },
  { requiredKeys: [], noNullPrototype: true },
);

describeOnBothDatabases("after any changes of users", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  const afterHistory = async (history: readonly UserOperation[]) => {
    const workspace = await newUserWorkspace(database);
    const model = new UserModel(workspace, await workspace.get(workspace.caller.userId));
    for (const operation of history) await model.run(operation);
    return { workspace, model };
  };

  test("rows, words and counters are those of the users that there are, and each is fetched as it is", async () => {
    await fc.assert(
      fc.asyncProperty(histories, async (history) => {
        const { workspace, model } = await afterHistory(history);
        const { users, words, counts } = await dumpUsers(database.read, workspace.caller);
        expect(users.map(({ id }) => id)).toEqual([...model.users.keys()].toSorted());
        expect(counts.filter(({ count }) => count <= 0)).toEqual([]);
        const entries = Array.from(model.users.values(), (user) =>
          modelWords(user).map((word) => `${user.id} ${word}`),
        );
        expect(words.map(({ word, user_id }) => `${user_id} ${word}`).toSorted()).toEqual(
          entries.flat().toSorted(),
        );
        for (const role of [undefined, ...roles]) {
          for (const status of [undefined, ...userStatuses]) {
            const { total } = await workspace.list({ role, status, per_page: 1 });
            const expected = modelList(model.users.values(), { role, status }).length;
            expect({ role, status, total }).toEqual({ role, status, total: expected });
          }
        }
        for (const user of model.users.values()) expect(await workspace.get(user.id)).toStrictEqual(user);
      }),
      { numRuns: 25 },
    );
  });

  test("every list and search shows the model's, by page as by cursor", async () => {
    const lists = fc.array(fc.tuple(listParams, fc.integer({ min: 1, max: 4 })), {
      minLength: 6,
      maxLength: 6,
    });
    await fc.assert(
      fc.asyncProperty(histories, lists, async (history, asked) => {
        const { workspace, model } = await afterHistory(history);
        for (const [choice, per_page] of asked) {
          const params = { ...choice, per_page };
          const expected = modelList(model.users.values(), params);
          const byPage = await walkByPage(workspace.list, params);
          expect(byPage.flatMap(({ items }) => items)).toStrictEqual(expected);
          expect(byPage.map(({ total }) => total)).toEqual(byPage.map(() => expected.length));
          expect(byPage).toHaveLength(Math.max(1, Math.ceil(expected.length / per_page)));
          expect(await walkByCursor(workspace.list, params)).toStrictEqual(byPage);
        }
      }),
      { numRuns: 25 },
    );
  });
});
