import { type Middleware, ServiceBroker } from "moleculer";

/** A broker of the test's own: alone, silent and quick to stop. */
export function quietBroker(...middlewares: Middleware[]): ServiceBroker {
  return new ServiceBroker({
    logger: false,
    transporter: null,
    validator: false,
    skipProcessEventRegistration: true,
    registry: { stopDelay: 0 },
    middlewares,
  });
}
