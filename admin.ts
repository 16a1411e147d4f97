/**
 * The operator's command: workspaces and keys, a look at users, integrations and registrations, and upkeep of
 * secrets, on the database itself and so without a running service, or beside one. `npm run admin -- --help`
 * says how.
 */
import { helpWords, type ParsedCommand, parseCommand, UsageError } from "./admin/command-line.ts";
import { commands } from "./admin/commands.ts";
import { helpPage } from "./admin/help-page.ts";
import { databaseName, withServices } from "./admin/local-services.ts";
import { explainFailure } from "./lib/explain-failure.ts";

const FAILED = 1;
const MISUSED = 2;

const typed = process.argv.slice(2);
try {
  if (typed.length === 0 || typed.some((word) => helpWords.has(word))) console.log(helpPage(commands));
  else await run(parseCommand(commands, typed, "npm run admin -- "));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : explainFailure(error));
  process.exitCode = error instanceof UsageError ? MISUSED : FAILED;
}

async function run({ command, given }: ParsedCommand): Promise<void> {
  const { lines, remark } = await withServices(command.services, (call) => command.run(call, given));
  for (const line of lines) console.log(line);
  if (remark !== undefined) console.error(`${remark} (Database: ${databaseName()})`);
}
