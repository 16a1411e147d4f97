import { WorkspacesUsersKeys1795219200000 } from "./1795219200000-workspaces-users-keys.ts";
import { Records1795219200001 } from "./1795219200001-records.ts";
import { EventsAndSettings1795219200002 } from "./1795219200002-events-and-settings.ts";
import { UserLists1795219200003 } from "./1795219200003-user-lists.ts";
import { IntegrationsWebhooks1795219200004 } from "./1795219200004-integrations-webhooks.ts";
import { IdempotencyKeys1795219200005 } from "./1795219200005-idempotency-keys.ts";
import { Deliveries1795219200006 } from "./1795219200006-deliveries.ts";

/** In the order in which they run. One that was released is never changed: a new one mends it. */
export const migrations = [
  WorkspacesUsersKeys1795219200000,
  Records1795219200001,
  EventsAndSettings1795219200002,
  UserLists1795219200003,
  IntegrationsWebhooks1795219200004,
  IdempotencyKeys1795219200005,
  Deliveries1795219200006,
];
