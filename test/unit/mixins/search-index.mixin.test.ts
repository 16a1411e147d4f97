import { afterEach, beforeEach, expect, jest, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import type { Database } from "../../../db/database.ts";
import { databaseMiddleware, databaseOf } from "../../../mixins/database.middleware.ts";
import { type Reindex, searchIndexMixin } from "../../../mixins/search-index.mixin.ts";
import { freshSqliteStorage } from "../../support/databases.ts";
import { waitFor } from "../../support/wait-for.ts";
import { quietBroker } from "./support/quiet-broker.ts";

let broker: ServiceBroker;

beforeEach(async () => {
  broker = quietBroker(databaseMiddleware(await freshSqliteStorage()));
});

afterEach(() => broker.stop());

async function start(reindex: Reindex) {
  const service = broker.createService({ name: "things", mixins: [searchIndexMixin("things", reindex)] });
  const log = { info: jest.spyOn(service.logger, "info"), error: jest.spyOn(service.logger, "error") };
  await broker.start();
  return log;
}

test("the index is mended beside the service, which has started meanwhile", async () => {
  const given: Database[] = [];
  const { promise, resolve } = Promise.withResolvers<{ mended: number }>();
  const { info } = await start((database) => {
    given.push(database);
    return promise;
  });
  expect(given).toEqual([databaseOf(broker)]);
  const mended = expect.stringContaining("3 things");
  expect(info).not.toHaveBeenCalledWith(mended);
  resolve({ mended: 3 });
  await waitFor(() => info.mock.calls.some(([text]) => String(text).includes("3 things")), {
    what: "the log to say that it is done",
  });
});

test("a stop ends the work and waits for it, so that nobody uses a closed database", async () => {
  const ended: string[] = [];
  await start(async (_, signal) => {
    await new Promise((resolve) => signal.addEventListener("abort", resolve));
    ended.push("work");
    return { mended: 0 };
  });
  await broker.stop();
  expect(ended).toEqual(["work"]);
});

test("an index that cannot be mended is logged, and the service serves on", async () => {
  const failure = new Error("The database broke down.");
  const { error } = await start(() => Promise.reject(failure));
  await waitFor(() => error.mock.calls.length > 0, { what: "the log to say so" });
  expect(error).toHaveBeenCalledWith(expect.stringContaining("the next start tries again"), failure);
  expect(broker.getLocalService("things")).toBeDefined();
});

test("where there is nothing to mend, nothing is said", async () => {
  const { info } = await start(async () => ({ mended: 0 }));
  await broker.stop();
  expect(info.mock.calls.filter(([text]) => String(text).includes("search index"))).toEqual([]);
});

test("a service whose metadata say so leaves the index to others", async () => {
  const reindex = jest.fn(async () => ({ mended: 0 }));
  broker.createService({
    name: "things",
    mixins: [searchIndexMixin("things", reindex)],
    metadata: { keepSearchIndex: false },
  });
  await broker.start();
  await broker.stop();
  expect(reindex).not.toHaveBeenCalled();
});
