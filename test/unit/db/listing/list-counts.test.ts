import { beforeEach, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { type CountedItem, changeCounts, countItems } from "../../../../db/listing/list-counts.ts";
import { newId } from "../../../../lib/ids.ts";
import { userListing } from "../../../../services/users/user-listing.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";

const workspaceId = "ws_1";

describeOnBothDatabases("counters", (open) => {
  let database: Database;

  beforeEach(async () => {
    database = await open();
  });

  const change = (come: readonly CountedItem[], gone: readonly CountedItem[] = []) =>
    database.transaction((transaction) =>
      changeCounts(transaction, userListing, workspaceId, { come, gone }),
    );
  const total = (group?: string, status?: string) =>
    countItems(database.read, userListing, { workspaceId, group, status });
  const rows = () => database.read.query("SELECT * FROM user_counts");
  const items = (count: number, group: string, status: string) =>
    Array.from({ length: count }, () => ({ id: newId("user"), group, status }));

  test("add up what came and went, by group, by status and in all", async () => {
    const [admins, viewers, idle] = [
      items(20, "admin", "active"),
      items(5, "viewer", "active"),
      items(3, "viewer", "inactive"),
    ];
    await change([...admins, ...viewers, ...idle]);
    await change(items(1, "editor", "active"), admins.slice(0, 4));
    expect([await total(), await total("admin"), await total("viewer"), await total("editor")]).toEqual([
      25, 16, 8, 1,
    ]);
    expect([await total(undefined, "active"), await total("viewer", "inactive")]).toEqual([22, 3]);
    expect([await total("nosuch"), await total(""), await total("admin", "nosuch")]).toEqual([0, 0, 0]);
  });

  test("leave nothing when all is gone, and write nothing where nothing changes", async () => {
    const some = items(40, "admin", "active");
    await change(some);
    expect((await rows()).length).toBeGreaterThan(0);
    await change(some, some);
    expect(await total()).toBe(40);
    await change([], some);
    expect(await rows()).toEqual([]);
  });

  test("count ids of other forms too", async () => {
    await change([{ id: "usr_1", group: "admin", status: "active" }]);
    expect(await total("admin")).toBe(1);
  });

  test("are exact where many write at once", async () => {
    const all = Array.from({ length: 30 }, () => items(2, "viewer", "active"));
    await Promise.all(all.map((pair) => change(pair)));
    await Promise.all(all.map(([one]) => change([], one ? [one] : [])));
    expect([await total(), await total("viewer", "active")]).toEqual([30, 30]);
  });
});
