import type { CreatedKey, KeyResource } from "../../services/keys/key.schema.ts";
import type { Command } from "../command.ts";
import { everyPage } from "../every-page.ts";
import { table } from "../table.ts";

/** Makes, lists and revokes API keys. */
export const keyCommands: readonly Command[] = [
  {
    name: "keys create",
    operands: ["user id"],
    options: { name: { value: "name", required: false } },
    help: "Make a key that acts as this user; prints it, which nothing can do again",
    services: ["keys"],
    async run(call, { "user id": user_id, name }) {
      const made = await call<CreatedKey>("keys.create", { user_id, name });
      return { lines: [...table([["key", made.id, made.name]]), made.key] };
    },
  },
  {
    name: "keys list",
    operands: [],
    options: { workspace: { value: "workspace id", required: false } },
    help: "List the keys, the newest first, with their users; of one workspace, or of all",
    services: ["keys"],
    async run(call, { workspace: workspace_id }) {
      const keys = await everyPage<KeyResource>(call, "keys.list", { workspace_id });
      if (keys.length === 0) return { lines: [], remark: "There is no key." };
      const rows = keys.map((key) => [
        key.id,
        key.hint,
        key.workspace_id,
        key.user_id,
        key.role,
        key.created_at,
        key.revoked_at ?? "-",
        key.user_email,
        key.name,
      ]);
      const heads = ["ID", "BEGINS", "WORKSPACE", "USER", "ROLE", "CREATED", "REVOKED", "EMAIL", "NAME"];
      return { lines: table([heads, ...rows]) };
    },
  },
  {
    name: "keys revoke",
    operands: ["key id"],
    options: {},
    help: "Take a key back; running services refuse it within 5 seconds",
    services: ["keys"],
    async run(call, { "key id": id }) {
      const revoked = await call<{ id: string; revoked_at: string }>("keys.revoke", { id });
      return { lines: table([["revoked", revoked.id, revoked.revoked_at]]) };
    },
  },
];
