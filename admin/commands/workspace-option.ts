import type { Command } from "../command.ts";

/** The option of commands that act in a workspace. */
export const workspaceOption: Command["options"] = { workspace: { value: "workspace id", required: false } };

/** The services that acting in a workspace takes: who acts there is one of its users. */
export function inWorkspace(service: string): string[] {
  return [...new Set(["workspaces", "users", service])];
}
