/**
 * The operator's command: makes workspaces and keys, lists them and revokes keys, on the database itself and
 * so without a running service, or beside one. `npm run admin -- --help` says how.
 */
import { helpPage, type ParsedCommand, parseCommand, UsageError } from "./admin/command-line.ts";
import { commands } from "./admin/commands.ts";
import { databaseName, withServices } from "./admin/local-services.ts";
import { explainFailure } from "./lib/explain-failure.ts";

const FAILED = 1;
const MISUSED = 2;

try {
  const parsed = parseCommand(commands, process.argv.slice(2));
  if (parsed) await run(parsed);
  else console.log(helpPage(commands));
} catch (error) {
  console.error(error instanceof UsageError ? error.message : explainFailure(error));
  process.exitCode = error instanceof UsageError ? MISUSED : FAILED;
}

async function run({ command, given }: ParsedCommand): Promise<void> {
  const { lines, remark } = await withServices((call) => command.run(call, given));
  for (const line of lines) console.log(line);
  if (remark !== undefined) console.error(`${remark} (Database: ${databaseName()})`);
}
