import type { Service, ServiceSchema, ServiceSettingSchema } from "moleculer";
import { type Config, loadConfig } from "../../lib/config.ts";
import { OutboundClient } from "../../lib/outbound/outbound-client.ts";
import { webhookSecretPlace } from "../../lib/sealed-places.ts";
import { actionOf, callerOf } from "../../mixins/action.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import { type OutboxHost, outboxMixin } from "../../mixins/outbox.mixin.ts";
import { noParamsSchema, type OneItemParams, oneItemSchema } from "../../mixins/params.schema.ts";
import { reseal } from "../../mixins/reseal.ts";
import { cipherOf } from "../../mixins/secrets.middleware.ts";
import { announceTargetRemoved } from "../../mixins/target-removed.ts";
import {
  createWebhookSchema,
  type ListWebhooksParams,
  listWebhooksSchema,
  type NewWebhook,
} from "./webhook.schema.ts";
import { listWebhooks } from "./webhook-list.ts";
import { webhookValidation } from "./webhook-validation.ts";
import { WebhookWriter } from "./webhook-writer.ts";

interface WebhooksService extends Service, OutboxHost {
  config: Config["webhooks"];
  client: OutboundClient;
  writer: WebhookWriter;
}

const action = actionOf<WebhooksService>();

/** Webhook registrations: where a workspace's events are sent. Sending them is not this service's matter. */
const webhooksService: ServiceSchema<ServiceSettingSchema, object, object, WebhooksService> = {
  name: "webhooks",
  mixins: [outboxMixin],
  metadata: { sealsSecrets: true },
  actions: {
    list: action<ListWebhooksParams>({
      permission: "read",
      schema: listWebhooksSchema,
      handler(ctx) {
        return listWebhooks(databaseOf(this.broker).read, callerOf(ctx), ctx.params);
      },
    }),
    create: action<NewWebhook>({
      permission: "administer",
      schema: createWebhookSchema,
      handler(ctx) {
        return this.writer.create(callerOf(ctx), ctx.params);
      },
    }),
    remove: action<OneItemParams>({
      permission: "administer",
      schema: oneItemSchema,
      async handler(ctx) {
        const { id } = ctx.params;
        const answer = await this.writer.remove(callerOf(ctx), id);
        await announceTargetRemoved(this, id);
        return answer;
      },
    }),
    reseal: action<object>({
      permission: "operate",
      // It takes as long as there are rows.
      timeout: 0,
      schema: noParamsSchema,
      handler() {
        return reseal(databaseOf(this.broker), cipherOf(this.broker), {
          table: "webhooks",
          column: "secret",
          place: webhookSecretPlace,
        });
      },
    }),
  },
  created() {
    this.config = loadConfig().webhooks;
  },
  started() {
    const { allowedNetworks, limit, timeoutMs } = this.config;
    this.client = new OutboundClient({ allowedNetworks });
    this.writer = new WebhookWriter({
      read: databaseOf(this.broker).read,
      outbox: this.outbox,
      cipher: cipherOf(this.broker),
      validate: webhookValidation(this.client, timeoutMs, (line, cause) => this.logger.debug(line, cause)),
      limit,
    });
  },
  stopped() {
    // A service whose start failed has none.
    this.client?.close();
  },
};

export default webhooksService;
