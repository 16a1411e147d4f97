import type { Command } from "../command.ts";
import type { Operator } from "../operator.ts";
import { table } from "../table.ts";

/** Chooses the workspace in which an operator's further calls act. */
export function chooseWorkspace(operator: Operator): Command {
  return {
    name: "workspace",
    operands: ["workspace id"],
    options: {},
    help: "Act in this workspace from now on; without it in the only one",
    services: ["workspaces"],
    async run(_call, { "workspace id": id = "" }) {
      const { name } = await operator.choose(id);
      return { lines: table([["workspace", id, name]]) };
    },
  };
}
