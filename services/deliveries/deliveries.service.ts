import type { Service, ServiceSchema, ServiceSettingSchema } from "moleculer";
import { actionOf, callerOf } from "../../mixins/action.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import { type OutboxHost, outboxMixin } from "../../mixins/outbox.mixin.ts";
import {
  type ListDeliveriesParams,
  listDeliveriesSchema,
  type OneDeliveryParams,
  oneDeliverySchema,
  type RecoverParams,
  recoverSchema,
} from "./delivery.schema.ts";
import { getDelivery, listDeliveries } from "./delivery-list.ts";
import { DeliveryResender } from "./delivery-resender.ts";

interface DeliveriesService extends Service, OutboxHost {
  resender: DeliveryResender;
}

const action = actionOf<DeliveriesService>();

/** The record of what was sent to webhooks, and sending it again. It works where no dispatcher runs. */
const deliveriesService: ServiceSchema<ServiceSettingSchema, object, object, DeliveriesService> = {
  name: "deliveries",
  mixins: [outboxMixin],
  actions: {
    list: action<ListDeliveriesParams>({
      permission: "read",
      schema: listDeliveriesSchema,
      handler(ctx) {
        return listDeliveries(databaseOf(this.broker).read, callerOf(ctx), ctx.params);
      },
    }),
    get: action<OneDeliveryParams>({
      permission: "read",
      schema: oneDeliverySchema,
      handler(ctx) {
        return getDelivery(databaseOf(this.broker).read, callerOf(ctx), ctx.params);
      },
    }),
    resend: action<OneDeliveryParams>({
      permission: "administer",
      schema: oneDeliverySchema,
      handler(ctx) {
        return this.resender.resend(callerOf(ctx), ctx.params);
      },
    }),
    recover: action<RecoverParams>({
      permission: "administer",
      schema: recoverSchema,
      handler(ctx) {
        return this.resender.recover(callerOf(ctx), ctx.params);
      },
    }),
  },
  started() {
    this.resender = new DeliveryResender({ database: databaseOf(this.broker), outbox: this.outbox });
  },
};

export default deliveriesService;
