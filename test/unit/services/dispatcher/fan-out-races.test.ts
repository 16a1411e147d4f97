import { beforeAll, beforeEach, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { openDatabase } from "../../../../db/open-database.ts";
import type { OutboxEvent } from "../../../../mixins/outbox.ts";
import { fanOut } from "../../../../services/dispatcher/fan-out.ts";
import { describeOnBothDatabases } from "../../../support/databases.ts";
import { breakAtStatement, InjectedFault } from "../../../support/faulty-database.ts";
import { growingSteps } from "../../../support/query-plan.ts";
import { type IssuedStatement, watchDatabase } from "../../../support/watched-sql.ts";
import {
  dumpFanOut,
  emptyFanOut,
  type FanOutWorkspace,
  newFanOutWorkspace,
} from "./support/fan-out-workspace.ts";

const created: OutboxEvent = { event: "record.created", data: { id: "rec_1" } };
const invited = (id: string): OutboxEvent => ({ event: "user.invited", data: { id } });

/** Fans out until nothing waits that nobody else has; gives how many events it dealt with. */
async function fanOutAll(database: Database): Promise<number> {
  let sum = 0;
  for (let count = await fanOut(database); count > 0; count = await fanOut(database)) sum += count;
  return sum;
}

describeOnBothDatabases("fan-outs that something comes between", (open, storage) => {
  let database: Database;
  let workspace: FanOutWorkspace;

  beforeAll(async () => {
    database = await open();
  });

  beforeEach(async () => {
    await emptyFanOut(database);
    workspace = await newFanOutWorkspace(database);
  });

  const dump = () => dumpFanOut(database.read);

  test.each([
    ["few", 2],
    ["more than a quick transaction takes", 100],
  ])("leave the events waiting and nothing half done, wherever one breaks off: %s", async (_, count) => {
    await workspace.addWebhook(["*"]);
    await workspace.addIntegration("slack", { events: ["record.created"] });
    await workspace.emit(...Array(count).fill(created), invited("usr_1"));
    const before = await dump();
    let n = 1;
    for (; ; n += 1) {
      const outcome = await fanOut(breakAtStatement(database, n)).catch((error: unknown) => error);
      if (typeof outcome === "number") break;
      expect(outcome).toBeInstanceOf(InjectedFault);
      expect(await dump()).toEqual(before);
    }
    // The events, three reads of targets, deliveries, queue and removal, and the commit at least.
    expect(n).toBeGreaterThan(8);
    const { pending, deliveries, queue } = await dump();
    expect(pending).toEqual([]);
    expect(deliveries).toHaveLength(2 * count + 2);
    expect(queue).toHaveLength(2 * count + 2);
  });

  test("make one delivery of each event for each target, several at once beside those who write", async () => {
    const place = await storage();
    const nodes = await Promise.all([openDatabase(place), openDatabase(place)]);
    const [one, other] = nodes;
    try {
      const shared = await newFanOutWorkspace(one);
      const targets = [await shared.addWebhook(["*"]), await shared.addWebhook(["record.created"])];
      const written: string[] = [];
      const write = async () => {
        for (let n = 0; n < 20; n += 1) {
          const events = await shared.emit(...Array(15).fill(created));
          written.push(...events.map(({ id }) => id));
        }
      };
      let isWritten = false;
      const writing = write().finally(() => {
        isWritten = true;
      });
      const work = async (node: Database) => {
        let sum = 0;
        while (!isWritten) {
          sum += await fanOut(node);
          await new Promise((resolve) => setImmediate(resolve));
        }
        return sum + (await fanOutAll(node));
      };
      const counts = await Promise.all([work(one), work(one), work(other), work(other)]);
      await writing;

      expect(counts.reduce((sum, count) => sum + count, 0)).toBe(300);
      const { pending, deliveries, queue } = await dumpFanOut(one.read);
      expect(pending).toEqual([]);
      expect(deliveries.map(({ event_id, target_id }) => `${event_id} ${target_id}`).sort()).toEqual(
        written.flatMap((id) => targets.map((target) => `${id} ${target}`)).sort(),
      );
      expect(queue.map(({ delivery_id }) => delivery_id)).toEqual(deliveries.map(({ id }) => id));
    } finally {
      await Promise.all(nodes.map((node) => node.close()));
    }
  });

  test("pass over events that are still being written, without a wait, and take them when they are there", async () => {
    const target = await workspace.addWebhook(["*"]);
    const [first] = await workspace.emit(created, created, created);
    const written = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const writing = database.transaction(async (transaction) => {
      await transaction.execute(
        `INSERT INTO pending_events (event_id, workspace_id, event, created_at)
         SELECT '${first?.id.slice(0, -1)}', workspace_id, event, created_at FROM events WHERE id = ?`,
        [first?.id ?? ""],
      );
      begun.resolve();
      // SQLite has one writer: there a fan-out has its turn behind this one.
      if (database.dialect === "mysql") await written.promise;
    });
    await begun.promise;
    try {
      expect(await fanOut(database)).toBe(database.dialect === "mysql" ? 3 : 4);
    } finally {
      written.resolve();
      await writing;
    }
    await fanOutAll(database);
    const { pending, deliveries } = await dump();
    expect(pending).toEqual([]);
    expect(deliveries.map(({ target_id }) => target_id)).toEqual(Array(4).fill(target));
  });

  test("read the targets of a batch once, by indexes, however many workspaces it concerns", async () => {
    const others = await Promise.all(Array.from({ length: 7 }, () => newFanOutWorkspace(database)));
    for (const { addWebhook, emit } of [workspace, ...others]) {
      await addWebhook(["*"]);
      await emit(...Array(7).fill(created), invited("usr_1"));
    }
    const issued: IssuedStatement[] = [];
    expect(await fanOut(watchDatabase(database, issued))).toBe(64);
    const isTaking = ({ statement }: IssuedStatement) => /FROM pending_events .*ORDER/s.test(statement);
    // What SQLite began on its quick connection was taken back, and is not counted.
    const reads = issued.slice(issued.findLastIndex(isTaking) + 1);
    const readsOf = (table: string) =>
      reads.filter(({ statement }) => new RegExp(`^SELECT.*FROM ${table}\\b`, "s").test(statement));
    const targets = ["webhooks", "integrations", "events"].map(readsOf);
    expect(targets.map(({ length }) => length)).toEqual([1, 1, 1]);
    // MariaDB may scan tables as small as these for a list; SQLite shows that each has its index.
    if (database.dialect === "mysql") return;
    for (const read of targets.flat()) expect(await growingSteps(database.read, read)).toEqual([]);
  });
});
