import type { Middleware, ServiceBroker } from "moleculer";

/** What a service adds that lets requests in from outside the broker. */
export interface FrontDoor {
  /** The TCP port, once open. */
  readonly port: number | undefined;
  /** Lets requests in. */
  open(): Promise<void>;
  /** Lets no more in, and resolves once those that are in have their answers or the time is up. */
  drain(): Promise<void>;
}

/**
 * Opens a node's front doors when all its services have started, and drains them before the first of them
 * stops: services start and stop side by side, so without it early and late requests would find nobody.
 */
export function frontDoorMiddleware(): Middleware {
  return {
    name: "FrontDoor",
    started: async (broker: ServiceBroker) => {
      await Promise.all(frontDoorsOf(broker).map((door) => door.open()));
    },
    stopping: async (broker: ServiceBroker) => {
      await Promise.all(frontDoorsOf(broker).map((door) => door.drain()));
    },
  };
}

/** The node's front doors; usually the gateway's, if that. */
export function frontDoorsOf(broker: ServiceBroker): FrontDoor[] {
  const services: object[] = broker.services;
  return services.filter(isFrontDoor);
}

function isFrontDoor(service: object): service is FrontDoor {
  return "open" in service && "drain" in service;
}
