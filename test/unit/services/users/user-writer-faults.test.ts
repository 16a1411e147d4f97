import { beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { Outbox } from "../../../../mixins/outbox.ts";
import { UserWriter } from "../../../../services/users/user-writer.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { breakAtStatement, InjectedFault } from "../../../support/faulty-database.ts";
import { newUserWorkspace, type UserWorkspace } from "./support/test-users.ts";
import { dumpUsers } from "./support/user-tables.ts";

interface Operation {
  readonly name: string;
  /** Fewer statements would mean that less is tried than it takes. */
  readonly minStatements: number;
  readonly events: number;
  readonly accessChanges: number;
  run(writer: UserWriter, workspace: UserWorkspace, id: string): Promise<unknown>;
}

const operations: readonly Operation[] = [
  {
    name: "a create",
    minStatements: 5,
    events: 1,
    accessChanges: 0,
    run: (writer, { caller }) =>
      writer.create(caller, { email: "new@example.com", name: "New", role: "admin" }),
  },
  {
    name: "an update",
    minStatements: 7,
    events: 0,
    accessChanges: 1,
    run: (writer, { caller }, id) =>
      writer.update(caller, { id, name: "Okapi", role: "viewer", status: "inactive" }),
  },
  {
    name: "a removal",
    minStatements: 6,
    events: 1,
    accessChanges: 1,
    run: (writer, { caller }, id) => writer.remove(caller, id),
  },
];

describeOnBothDatabases("a change of users that fails", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  test.each(operations)(
    "leaves nothing behind and tells nobody, wherever $name breaks off",
    async ({ run, minStatements, events, accessChanges }) => {
      const workspace = await newUserWorkspace(database);
      const { caller, clock } = workspace;
      const { id } = await workspace.create({ name: "Zebra", role: "admin" });
      const before = await dumpUsers(database.read, caller);
      const told = { notices: 0, access: 0 };

      const attempt = async (n: number): Promise<boolean> => {
        const notify = () => {
          told.notices += 1;
        };
        const writer = new UserWriter({
          outbox: new Outbox(breakAtStatement(database, n), notify, clock.read),
          accessChanged: async () => {
            told.access += 1;
          },
          nowMs: clock.read,
        });
        try {
          await run(writer, workspace, id);
          return true;
        } catch (error) {
          expect(error).toBeInstanceOf(InjectedFault);
          expect(await dumpUsers(database.read, caller)).toEqual(before);
          expect(told).toEqual({ notices: 0, access: 0 });
          return false;
        }
      };
      let n = 1;
      while (!(await attempt(n))) n += 1;

      expect(n).toBeGreaterThan(minStatements);
      const after = await dumpUsers(database.read, caller);
      expect(after.users).not.toEqual(before.users);
      expect(after.events).toHaveLength(before.events.length + events);
      expect(told).toEqual({ notices: events, access: accessChanges });
    },
  );
});
