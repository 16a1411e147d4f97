import type { CreatedWorkspace, WorkspaceResource } from "../../services/workspaces/workspace.schema.ts";
import type { Command } from "../command.ts";
import { everyPage } from "../every-page.ts";
import { table } from "../table.ts";

/** Makes and lists workspaces. */
export const workspaceCommands: readonly Command[] = [
  {
    name: "workspaces create",
    operands: ["name"],
    options: { email: { value: "email", required: true } },
    help: "Make a workspace, its admin user with this address, and a key; prints all three",
    services: ["workspaces"],
    async run(call, { name, email }) {
      const { workspace, user, key } = await call<CreatedWorkspace>("workspaces.create", { name, email });
      const made = [
        ["workspace", workspace.id, workspace.name],
        ["user", user.id, user.email],
        ["key", key.id, user.role],
      ];
      return { lines: [...table(made), key.key] };
    },
  },
  {
    name: "workspaces list",
    operands: [],
    options: {},
    help: "List the workspaces, the newest first",
    services: ["workspaces"],
    async run(call) {
      const workspaces = await everyPage<WorkspaceResource>(call, "workspaces.list", {});
      if (workspaces.length === 0) return { lines: [], remark: "There is no workspace." };
      const rows = workspaces.map(({ id, created_at, name }) => [id, created_at, name]);
      return { lines: table([["ID", "CREATED", "NAME"], ...rows]) };
    },
  },
];
