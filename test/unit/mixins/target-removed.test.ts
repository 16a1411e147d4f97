import { afterEach, expect, jest, test } from "@jest/globals";
import type { ServiceBroker } from "moleculer";
import { announceTargetRemoved } from "../../../mixins/target-removed.ts";
import { quietBroker } from "./support/quiet-broker.ts";

let broker: ServiceBroker | undefined;

afterEach(async () => {
  await broker?.stop();
});

async function start(heard: (params: unknown) => void = () => {}): Promise<ServiceBroker> {
  broker = quietBroker();
  broker.createService({
    name: "listener",
    events: { "targets.removed": ({ params }: { params: unknown }) => heard(params) },
  });
  await broker.start();
  return broker;
}

test("whoever sends on this node has heard which target it is before the announcement resolves", async () => {
  const heard: unknown[] = [];
  const node = await start((params) => {
    heard.push(params);
  });
  await announceTargetRemoved({ broker: node, logger: node.logger }, "wh_1");
  expect(heard).toEqual([{ id: "wh_1" }]);
});

test("a notice that is lost is logged and does not fail the removal", async () => {
  const node = await start();
  const failure = new Error("The broker is gone.");
  jest.spyOn(node, "broadcast").mockRejectedValue(failure);
  const warn = jest.spyOn(node.logger, "warn");
  await announceTargetRemoved({ broker: node, logger: node.logger }, "wh_1");
  expect(warn).toHaveBeenCalledWith(expect.stringContaining("wh_1 was removed"), failure);
});
