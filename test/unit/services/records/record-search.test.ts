import { beforeAll, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import type { NewRecord } from "../../../../services/records/record.schema.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { walkByCursor } from "../../../support/list-walks.ts";
import { type SearchDocument, searchCases, searchDocuments } from "../../../support/search-fixtures.ts";
import { newTestWorkspace, type TestWorkspace } from "./support/test-workspace.ts";

const toRecord = ({ name, fields }: SearchDocument): NewRecord => ({ name, type: "document", fields });
const NOISE = "zebra c to 😀 数据库 the www";

describeOnBothDatabases("a search for records", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  /** A workspace with the documents, beside another with the same words; and who is who. */
  const library = async (fill: (workspace: TestWorkspace) => Promise<string[]>) => {
    const other = newTestWorkspace(database);
    await other.writer.createMany(other.caller, searchDocuments.map(toRecord));
    await other.create({ name: NOISE });
    const workspace = newTestWorkspace(database);
    const ids = await fill(workspace);
    const keys = new Map(ids.map((id, at) => [id, searchDocuments[at]?.key]));
    const found = async (q: string) => {
      const { items, total } = await workspace.list({ q, per_page: 100 });
      return { keys: items.map(({ id }) => keys.get(id)), total };
    };
    return { workspace, ids, found };
  };

  const ways: { name: string; fill: (workspace: TestWorkspace) => Promise<string[]> }[] = [
    {
      name: "created in bulk",
      fill: async ({ caller, writer }) => {
        const { items: created } = await writer.createMany(caller, searchDocuments.map(toRecord));
        return created.map(({ id }) => id);
      },
    },
    {
      name: "created one by one",
      fill: async ({ create }) => {
        const ids: string[] = [];
        for (const document of searchDocuments) ids.push((await create(toRecord(document))).id);
        return ids;
      },
    },
    {
      name: "that once had other words",
      fill: async ({ caller, writer }) => {
        // Field keys cannot go by a patch, so all of them are there before with other values.
        const noise = searchDocuments.map(({ fields }) => ({
          name: NOISE,
          type: "document",
          fields: Object.fromEntries(Object.keys(fields).map((key) => [key, NOISE])),
        }));
        const ids = (await writer.createMany(caller, noise)).items.map(({ id }) => id);
        for (const [at, { name, fields }] of searchDocuments.entries()) {
          await writer.update(caller, { id: ids[at] ?? "", name, fields });
        }
        return ids;
      },
    },
    {
      name: "among others that were removed",
      fill: async ({ caller, writer }) => {
        const twice = searchDocuments.flatMap((document) => [toRecord(document), toRecord(document)]);
        const ids = (
          await writer.createMany(caller, [...twice, { name: NOISE, type: "document" }])
        ).items.map(({ id }) => id);
        await writer.removeMany(
          caller,
          ids.filter((_, at) => at % 2 === 1 || at === twice.length),
        );
        return ids.filter((_, at) => at % 2 === 0 && at < twice.length);
      },
    },
  ];

  describe.each(ways)("over records $name", ({ fill }) => {
    let found: Awaited<ReturnType<typeof library>>["found"];

    beforeAll(async () => {
      ({ found } = await library(fill));
    });

    test.each(searchCases)("finds for $q: $why", async ({ q, finds }) => {
      expect(await found(q)).toEqual({ keys: finds, total: finds.length });
    });
  });

  test("finds nothing any more of what was removed", async () => {
    const { workspace, ids, found } = await library(ways[0]?.fill ?? (async () => []));
    await workspace.writer.removeMany(workspace.caller, ids);
    for (const { q } of searchCases) expect(await found(q)).toEqual({ keys: [], total: 0 });
  });

  test("looks in names and field values, not in types, statuses, tags and field keys", async () => {
    const { create, list } = newTestWorkspace(database);
    await create({ name: "plain", type: "zebra", tags: ["zebra"], fields: { zebra: "plain" } });
    for (const q of ["zebra", "note", "active"]) expect((await list({ q })).total).toBe(0);
    expect((await list({ q: "plain" })).total).toBe(1);
  });

  test("finds a record that has the word in more than one place once", async () => {
    const { create, list } = newTestWorkspace(database);
    const record = await create({ name: "zebra zebras zebra", fields: { a: "zebrafish", b: "Zebra" } });
    expect(await list({ q: "zeb" })).toMatchObject({ items: [record], total: 1 });
    expect(await list({ q: "z zeb zebra zebras" })).toMatchObject({ items: [record], total: 1 });
  });

  test("is filtered, sorted and paged as lists are", async () => {
    const { caller, writer, list } = newTestWorkspace(database);
    const { items: created } = await writer.createMany(
      caller,
      ["b", "😀", "～", "a", "b"].map((name) => ({ name: `${name} zebra`, type: "task" })),
    );
    await writer.createMany(caller, [
      { name: "0 zebra", type: "note" },
      { name: "0 okapi", type: "task" },
    ]);
    const pages = await walkByCursor(list, {
      q: "ZEBRA",
      type: "task",
      sort: "name",
      order: "desc",
      per_page: 2,
    });
    const [firstB, emoji, tilde, a, secondB] = created;
    expect(pages.map(({ items }) => items)).toEqual([[emoji, tilde], [secondB, firstB], [a]]);
    expect(pages.map(({ page, total }) => ({ page, total }))).toEqual([
      { page: 1, total: 5 },
      { page: 2, total: 5 },
      { page: 3, total: 5 },
    ]);
  });

  test("never shows or counts another workspace's records, which change nothing in it", async () => {
    const mine = newTestWorkspace(database);
    await mine.create({ name: "zebra" });
    const before = await mine.list({ q: "z" });
    const theirs = newTestWorkspace(database);
    await theirs.writer.createMany(theirs.caller, Array(50).fill({ name: "zebra zoo", type: "note" }));
    expect(await mine.list({ q: "z" })).toEqual(before);
    expect(await mine.list({ q: "zoo" })).toMatchObject({ items: [], total: 0 });
    expect(await theirs.list({ q: "z", per_page: 100 })).toMatchObject({ total: 50 });
  });

  test("takes a query of as many words as fit into a request", async () => {
    const { create, list } = newTestWorkspace(database);
    const words = Array.from({ length: 1_500 }, (_, at) => (at + 1_296).toString(36));
    const record = await create({ name: "Many words", fields: { a: words.join(" ") } });
    await create({ name: "Fewer words", fields: { a: words.slice(1).join(" ") } });
    expect(await list({ q: words.join(" ") })).toMatchObject({ items: [record], total: 1 });
    expect(await list({ q: `${words.join(" ")} okapi` })).toMatchObject({ items: [], total: 0 });
  });
});
