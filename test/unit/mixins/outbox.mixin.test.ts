import { afterEach, describe, expect, jest, test } from "@jest/globals";
import type { Context, ServiceBroker, ServiceSchema } from "moleculer";
import type { Caller } from "../../../lib/caller.ts";
import { databaseMiddleware, databaseOf } from "../../../mixins/database.middleware.ts";
import { outboxMixin } from "../../../mixins/outbox.mixin.ts";
import type { OutboxNotice, OutboxTransaction } from "../../../mixins/outbox.ts";
import { freshSqliteStorage } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import { quietBroker } from "./support/quiet-broker.ts";

const caller: Caller = { workspaceId: "ws_1", userId: "usr_1", keyId: "key_1", role: "admin" };

/** A service that emits one event when it is called. */
const emitter: ServiceSchema = {
  name: "emitter",
  mixins: [outboxMixin],
  actions: {
    emit() {
      return this.outbox.transaction(caller, async (transaction: OutboxTransaction) => {
        await transaction.emit([{ event: "record.created", data: { id: "rec_1" } }]);
        return "written";
      });
    },
  },
};

let broker: ServiceBroker | undefined;

afterEach(async () => {
  await broker?.stop();
});

async function start(services: ServiceSchema[]): Promise<ServiceBroker> {
  broker = quietBroker(databaseMiddleware(await freshSqliteStorage()));
  for (const service of services) broker.createService(service);
  await broker.start();
  return broker;
}

const eventIds = async (node: ServiceBroker) =>
  (await databaseOf(node).read.query<{ id: string }>("SELECT id FROM events")).map(({ id }) => id);

describe("a service with the outbox mixin", () => {
  test("broadcasts what was committed: the ids of the events, to every service that listens", async () => {
    const heard: [string, OutboxNotice][] = [];
    const listener = (name: string): ServiceSchema => ({
      name,
      events: {
        "record.*": (ctx: Context<OutboxNotice>) => {
          heard.push([ctx.eventName ?? "", ctx.params]);
        },
      },
    });
    const node = await start([emitter, listener("one"), listener("other")]);
    await expect(node.call("emitter.emit")).resolves.toBe("written");
    await waitFor(() => heard.length === 2, { what: "both listeners to hear" });
    expect(heard).toEqual(Array(2).fill(["record.created", { ids: await eventIds(node) }]));
  });

  test("has its outbox when its own `started` runs", async () => {
    const seen: unknown[] = [];
    await start([
      {
        name: "early",
        mixins: [outboxMixin],
        async started() {
          seen.push(await this.outbox.transaction(caller, async () => "ready"));
        },
      },
    ]);
    expect(seen).toEqual(["ready"]);
  });
});

describe("a broadcast that fails", () => {
  const failures: [string, () => Promise<void>][] = [
    ["rejects", () => Promise.reject(new Error("the broker is gone"))],
    [
      "throws",
      () => {
        throw new Error("the broker is gone");
      },
    ],
  ];

  test.each(failures)("does not fail the write that it tells of: it %s", async (_, fail) => {
    const node = await start([emitter]);
    const broadcast = jest.spyOn(node, "broadcast").mockImplementation(fail);
    await expect(node.call("emitter.emit")).resolves.toBe("written");
    expect(broadcast.mock.calls).toContainEqual(["record.created", { ids: await eventIds(node) }]);
    broadcast.mockRestore();
  });
});
