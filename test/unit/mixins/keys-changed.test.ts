import { afterEach, expect, jest, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { announceKeysChanged } from "../../../mixins/keys-changed.ts";
import { quietBroker } from "./support/quiet-broker.ts";

let broker: ServiceBroker | undefined;

afterEach(async () => {
  await broker?.stop();
});

async function start(heard: () => Promise<void> = async () => {}): Promise<ServiceBroker> {
  broker = quietBroker();
  broker.createService({ name: "listener", events: { "keys.changed": heard } });
  await broker.start();
  return broker;
}

test("whoever listens on this node has heard of it before the announcement resolves", async () => {
  let count = 0;
  const node = await start(async () => {
    count += 1;
  });
  await announceKeysChanged({ broker: node, logger: node.logger });
  expect(count).toBe(1);
});

test("a notice that is lost is logged and does not fail the work that was done", async () => {
  const node = await start();
  const failure = new Error("The broker is gone.");
  jest.spyOn(node, "broadcast").mockRejectedValue(failure);
  const warn = jest.spyOn(node.logger, "warn");
  await announceKeysChanged({ broker: node, logger: node.logger });
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("forgets it by itself"), failure);
});
