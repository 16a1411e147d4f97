import type { WebhookResource } from "../../services/webhooks/webhook.schema.ts";
import type { Command } from "../command.ts";
import { table } from "../table.ts";
import { inWorkspace, workspaceOption } from "./workspace-option.ts";

/** Lists the webhooks that a workspace has registered. */
export const registrationCommands: readonly Command[] = [
  {
    name: "registrations list",
    operands: [],
    options: workspaceOption,
    help: "List the webhooks that a workspace has registered",
    services: inWorkspace("webhooks"),
    async run(call, { workspace }) {
      const { items } = await call<{ items: WebhookResource[] }>("webhooks.list", {}, workspace);
      if (items.length === 0) return { lines: [], remark: "There is no registration." };
      const rows = items.map((item) => [
        item.id,
        item.status,
        item.created_at,
        item.events.join(","),
        item.url,
      ]);
      return { lines: table([["ID", "STATUS", "CREATED", "EVENTS", "URL"], ...rows]) };
    },
  },
];
