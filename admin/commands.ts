import type { Command } from "./command.ts";
import { integrationCommands } from "./commands/integrations.ts";
import { keyCommands } from "./commands/keys.ts";
import { registrationCommands } from "./commands/registrations.ts";
import { secretCommands } from "./commands/secrets.ts";
import { userCommands } from "./commands/users.ts";
import { workspaceCommands } from "./commands/workspaces.ts";

/** What an operator can do: each command is a call of an action and how its answer is printed. */
export const commands: readonly Command[] = [
  ...workspaceCommands,
  ...keyCommands,
  ...userCommands,
  ...integrationCommands,
  ...registrationCommands,
  ...secretCommands,
];
