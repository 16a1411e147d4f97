import type { IntegrationResource } from "../../services/integrations/integration.schema.ts";
import type { Command } from "../command.ts";
import { table } from "../table.ts";
import { inWorkspace, workspaceOption } from "./workspace-option.ts";

/** Lists the integrations of a workspace. */
export const integrationCommands: readonly Command[] = [
  {
    name: "integrations list",
    operands: [],
    options: { status: { value: "status", required: false }, ...workspaceOption },
    help: "List what a workspace is connected to; with --status available, what it could be connected to",
    services: inWorkspace("integrations"),
    async run(call, { workspace, status }) {
      const { items } = await call<{ items: IntegrationResource[] }>(
        "integrations.list",
        { status },
        workspace,
      );
      if (items.length === 0) return { lines: [], remark: "There is no integration of this kind here." };
      const rows = items.map((item) => [
        item.id,
        item.type,
        item.status,
        item.connected_at ?? "-",
        item.name,
      ]);
      return { lines: table([["ID", "TYPE", "STATUS", "CONNECTED", "NAME"], ...rows]) };
    },
  },
];
