import type { ServiceSchema } from "moleculer";
import { databaseOf } from "./database.middleware.ts";
import { Outbox } from "./outbox.ts";

/** What the mixin adds to a service. */
export interface OutboxHost {
  readonly outbox: Outbox;
}

/** Gives a service `this.outbox`, whose notices are broadcast to all nodes; it is there before `started`. */
export const outboxMixin: Partial<ServiceSchema> = {
  started() {
    this.outbox = new Outbox(databaseOf(this.broker), async (event, notice) => {
      try {
        await this.broker.broadcast(event, notice);
      } catch (error) {
        this.logger.warn("A wake-up of the dispatcher was lost; it will look by itself.", error);
      }
    });
  },
};
