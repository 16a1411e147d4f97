import type { Command } from "./command.ts";
import { listCommands } from "./command-line.ts";

/** The page that `npm run admin -- --help` prints. */
export function helpPage(commands: readonly Command[]): string {
  return `Usage: npm run admin -- <command>

${listCommands(commands)}

The commands work on the database that the environment names: DATABASE_URL, or SQLite in DATA_DIR
(./data). They may run beside a service that uses it. On an empty database they make the tables and
nothing else: \`workspaces create\` makes the workspace that it was told to, and a service that starts
later finds it, makes none of its own and does not use BOOTSTRAP_API_KEY. What acts in a workspace
does so in the only one, or in that of --workspace.

Facts go to standard output, remarks and errors to standard error; \`npm run --silent admin -- …\` keeps
npm's own lines out of the way. Exit status: 0 done, 1 refused or failed, 2 typed in a wrong way.`;
}
