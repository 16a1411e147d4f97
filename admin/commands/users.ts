import type { UserResource } from "../../services/users/user.schema.ts";
import type { Command } from "../command.ts";
import { everyItem } from "../every-page.ts";
import { table } from "../table.ts";
import { inWorkspace, workspaceOption } from "./workspace-option.ts";

const optional = (value: string) => ({ value, required: false });

/** Lists and shows the users of a workspace. */
export const userCommands: readonly Command[] = [
  {
    name: "users list",
    operands: [],
    options: {
      role: optional("role"),
      status: optional("status"),
      q: optional("words"),
      ...workspaceOption,
    },
    help: "List the users of a workspace, the oldest first",
    services: inWorkspace("users"),
    async run(call, { workspace, ...filter }) {
      const users = await everyItem<UserResource>(call, "users.list", filter, workspace);
      if (users.length === 0) return { lines: [], remark: "There is no user of this kind here." };
      const rows = users.map((user) => [
        user.id,
        user.role,
        user.status,
        user.created_at,
        user.email,
        user.name,
      ]);
      return { lines: table([["ID", "ROLE", "STATUS", "CREATED", "EMAIL", "NAME"], ...rows]) };
    },
  },
  {
    name: "users show",
    operands: ["user id"],
    options: workspaceOption,
    help: "Show all of one user",
    services: inWorkspace("users"),
    async run(call, { "user id": id, workspace }) {
      const user = await call<UserResource>("users.get", { id }, workspace);
      return { lines: table(Object.entries(user).map(([member, value]) => [member, String(value)])) };
    },
  },
];
