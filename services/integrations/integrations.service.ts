import type { Service, ServiceSchema, ServiceSettingSchema } from "moleculer";
import { credentialsPlace } from "../../lib/sealed-places.ts";
import { actionOf, callerOf } from "../../mixins/action.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import { type OutboxHost, outboxMixin } from "../../mixins/outbox.mixin.ts";
import { noParamsSchema, type OneItemParams, oneItemSchema } from "../../mixins/params.schema.ts";
import { reseal } from "../../mixins/reseal.ts";
import { cipherOf } from "../../mixins/secrets.middleware.ts";
import { announceTargetRemoved } from "../../mixins/target-removed.ts";
import {
  createIntegrationSchema,
  type IntegrationPatch,
  type ListIntegrationsParams,
  listIntegrationsSchema,
  type NewIntegration,
  updateIntegrationSchema,
} from "./integration.schema.ts";
import { getIntegration, listIntegrations } from "./integration-list.ts";
import { IntegrationWriter } from "./integration-writer.ts";

interface IntegrationsService extends Service, OutboxHost {
  writer: IntegrationWriter;
}

const action = actionOf<IntegrationsService>();

/** Connections of workspaces to third parties; what can be connected is data in providers/. */
const integrationsService: ServiceSchema<ServiceSettingSchema, object, object, IntegrationsService> = {
  name: "integrations",
  mixins: [outboxMixin],
  metadata: { sealsSecrets: true },
  actions: {
    list: action<ListIntegrationsParams>({
      permission: "read",
      schema: listIntegrationsSchema,
      handler(ctx) {
        return listIntegrations(databaseOf(this.broker).read, callerOf(ctx), ctx.params);
      },
    }),
    get: action<OneItemParams>({
      permission: "read",
      schema: oneItemSchema,
      handler(ctx) {
        return getIntegration(databaseOf(this.broker).read, callerOf(ctx), ctx.params.id);
      },
    }),
    create: action<NewIntegration>({
      permission: "administer",
      schema: createIntegrationSchema,
      handler(ctx) {
        return this.writer.create(callerOf(ctx), ctx.params);
      },
    }),
    update: action<IntegrationPatch>({
      permission: "administer",
      schema: updateIntegrationSchema,
      handler(ctx) {
        return this.writer.update(callerOf(ctx), ctx.params);
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
          table: "integrations",
          column: "credentials",
          place: credentialsPlace,
        });
      },
    }),
  },
  started() {
    this.writer = new IntegrationWriter(this.outbox, cipherOf(this.broker));
  },
};

export default integrationsService;
