import { beforeAll, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { Outbox } from "../../../../mixins/outbox.ts";
import { RecordWriter } from "../../../../services/records/record-writer.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { breakAtStatement, InjectedFault } from "../../../support/faulty-database.ts";
import { dumpTables } from "./support/table-dump.ts";
import { newTestWorkspace, type TestWorkspace } from "./support/test-workspace.ts";

const WORDS = Array.from({ length: 20 }, (_, at) => `word${at}`).join(" ");
const content = { name: "Plan zebra", type: "task", fields: { a: WORDS, "2": "数据库" }, tags: ["t"] };

interface Operation {
  readonly name: string;
  /** Fewer statements would mean that less is tried than it takes. */
  readonly minStatements: number;
  run(writer: RecordWriter, workspace: TestWorkspace, ids: readonly string[]): Promise<unknown>;
}

const operations: readonly Operation[] = [
  {
    name: "a create",
    minStatements: 4,
    run: (writer, { caller }) => writer.create(caller, content),
  },
  {
    name: "a bulk create",
    minStatements: 10,
    run: (writer, { caller }) => writer.createMany(caller, Array(12).fill(content)),
  },
  {
    name: "a bulk create of more words than a quick transaction takes",
    minStatements: 10,
    run: (writer, { caller }) => writer.createMany(caller, Array(30).fill(content)),
  },
  {
    name: "an update",
    minStatements: 8,
    run: (writer, { caller }, [id = ""]) =>
      writer.update(caller, { id, name: "Plan okapi", status: "draft", fields: { a: "few words" } }),
  },
  {
    name: "a removal",
    minStatements: 6,
    run: (writer, { caller }, [id = ""]) => writer.remove(caller, id),
  },
  {
    name: "a bulk removal",
    minStatements: 10,
    run: (writer, { caller }, ids) => writer.removeMany(caller, ids),
  },
];

describeOnBothDatabases("a change of records that fails", (open) => {
  let database: Database;

  beforeAll(async () => {
    database = await open();
  });

  test.each(operations)(
    "leaves nothing behind, wherever $name breaks off",
    async ({ run, minStatements }) => {
      const workspace = newTestWorkspace(database);
      const { caller, writer, clock } = workspace;
      const ids = (await writer.createMany(caller, Array(5).fill(content))).items.map(({ id }) => id);
      const before = await dumpTables(database.read, caller);
      const notices: unknown[] = [];

      const attempt = async (n: number): Promise<boolean> => {
        const faulty = breakAtStatement(database, n);
        const outbox = new Outbox(faulty, (event, notice) => notices.push({ event, notice }), clock.read);
        try {
          await run(new RecordWriter(outbox, clock.read), workspace, ids);
          return true;
        } catch (error) {
          expect(error).toBeInstanceOf(InjectedFault);
          expect(await dumpTables(database.read, caller)).toEqual(before);
          expect(notices).toEqual([]);
          return false;
        }
      };
      let n = 1;
      while (!(await attempt(n))) n += 1;

      expect(n).toBeGreaterThan(minStatements);
      expect(await dumpTables(database.read, caller)).not.toEqual(before);
      expect(notices).toHaveLength(1);
    },
  );

  test("takes nothing with it of the changes beside it", async () => {
    const { caller, writer, clock, list } = newTestWorkspace(database);
    const failing = new RecordWriter(new Outbox(breakAtStatement(database, 3), () => {}, clock.read));
    const attempts = Array.from({ length: 60 }, (_, at) =>
      (at % 2 === 0 ? writer : failing).create(caller, { name: `Record ${at}`, type: "note" }),
    );
    const outcomes = await Promise.allSettled(attempts);
    const created = outcomes.flatMap((outcome) => (outcome.status === "fulfilled" ? [outcome.value.id] : []));
    expect(created).toHaveLength(30);
    const { items, total } = await list({ per_page: 100 });
    expect(items.map(({ id }) => id)).toEqual(created.toSorted());
    expect(total).toBe(30);
    const { words, events } = await dumpTables(database.read, caller);
    expect(new Set(words.map(({ record_id }) => record_id))).toEqual(new Set(created));
    expect(events).toHaveLength(30);
  });
});
