import { describe, expect, test } from "@jest/globals";
import { ServiceBroker } from "moleculer";
import { frontDoorMiddleware } from "../../../mixins/front-door.middleware.ts";

describe("frontDoorMiddleware", () => {
  test("a door opens after every service has started, and drains before any stops", async () => {
    const steps: string[] = [];
    const slowly = async (step: string) => {
      await Promise.resolve();
      steps.push(step);
    };
    const broker = new ServiceBroker({
      logger: false,
      skipProcessEventRegistration: true,
      registry: { stopDelay: 0 },
      middlewares: [{ stopped: () => slowly("closed") }, frontDoorMiddleware()],
    });
    broker.createService({
      name: "gateway",
      methods: { open: () => slowly("opened"), drain: () => slowly("drained") },
      stopped: () => slowly("gateway stopped"),
    });
    broker.createService({
      name: "records",
      started: () => slowly("started"),
      stopped: () => slowly("records stopped"),
    });
    await broker.start();
    expect(steps).toEqual(["started", "opened"]);
    steps.length = 0;
    await broker.stop();
    expect(steps[0]).toBe("drained");
    expect(steps.at(-1)).toBe("closed");
    expect(steps).toHaveLength(4);
  });

  test("a node without a door starts and stops all the same", async () => {
    const broker = new ServiceBroker({
      logger: false,
      skipProcessEventRegistration: true,
      registry: { stopDelay: 0 },
      middlewares: [frontDoorMiddleware()],
    });
    await broker.start();
    await broker.stop();
    expect(broker.started).toBe(false);
  });
});
