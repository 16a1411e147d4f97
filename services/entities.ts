import type { EntitySchema } from "typeorm";
import type { ColumnTypes } from "../db/columns.ts";
import { settingEntity } from "../db/setting.entity.ts";
import { eventEntity } from "../mixins/event.entity.ts";
import { idempotencyKeyEntity } from "../mixins/idempotency-key.entity.ts";
import { pendingEventEntity } from "../mixins/pending-event.entity.ts";
import { deliveryEntity } from "./dispatcher/delivery.entity.ts";
import { deliveryAttemptEntity } from "./dispatcher/delivery-attempt.entity.ts";
import { deliveryQueueEntity } from "./dispatcher/delivery-queue.entity.ts";
import { integrationEntity } from "./integrations/integration.entity.ts";
import { apiKeyEntity } from "./keys/key.entity.ts";
import { recordEntity } from "./records/record.entity.ts";
import { recordCountEntity } from "./records/record-count.entity.ts";
import { recordWordEntity } from "./records/record-word.entity.ts";
import { userEntity } from "./users/user.entity.ts";
import { userCountEntity } from "./users/user-count.entity.ts";
import { userWordEntity } from "./users/user-word.entity.ts";
import { webhookEntity } from "./webhooks/webhook.entity.ts";
import { webhookCountEntity } from "./webhooks/webhook-count.entity.ts";
import { workspaceEntity } from "./workspaces/workspace.entity.ts";

/** Every table, for the database whose column types are given. */
export const entities = (types: ColumnTypes): EntitySchema[] => [
  workspaceEntity(types),
  userEntity(types),
  userCountEntity(types),
  userWordEntity(types),
  apiKeyEntity(types),
  recordEntity(types),
  recordCountEntity(types),
  recordWordEntity(types),
  integrationEntity(types),
  webhookEntity(types),
  webhookCountEntity(types),
  idempotencyKeyEntity(types),
  eventEntity(types),
  pendingEventEntity(types),
  deliveryEntity(types),
  deliveryQueueEntity(types),
  deliveryAttemptEntity(types),
  settingEntity(types),
];
