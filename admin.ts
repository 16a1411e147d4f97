/**
 * The operator's command: makes workspaces and keys, lists them and revokes keys, on the database itself and
 * so without a running service, or beside one. `npm run admin -- --help` says how.
 */
import { helpPage, type ParsedCommand, parseCommand, UsageError } from "./admin/command-line.ts";
import { commands } from "./admin/commands.ts";
import { databaseName, withServices } from "./admin/local-services.ts";
import { ConfigError } from "./lib/config.ts";
import { ServiceError } from "./lib/errors.ts";

const FAILED = 1;
const MISUSED = 2;

try {
  const parsed = parseCommand(commands, process.argv.slice(2));
  if (parsed) await run(parsed);
  else console.log(helpPage(commands));
} catch (error) {
  console.error(explain(error));
  process.exitCode = error instanceof UsageError ? MISUSED : FAILED;
}

async function run({ command, given }: ParsedCommand): Promise<void> {
  const { lines, remark } = await withServices((call) => command.run(call, given));
  for (const line of lines) console.log(line);
  if (remark !== undefined) console.error(`${remark} (Database: ${databaseName()})`);
}

/** A sentence for what an operator or the surroundings did wrong; the whole stack for a defect. */
function explain(error: unknown): string {
  if (error instanceof ServiceError && error.errorCode === "unavailable") {
    return `The database does not answer: ${sentence(error.cause)}`;
  }
  if (error instanceof UsageError || error instanceof ConfigError || error instanceof ServiceError) {
    return error.message;
  }
  const isOfSystem = error instanceof Error && "code" in error;
  return isOfSystem ? sentence(error) : String(error instanceof Error ? error.stack : error);
}

function sentence(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  // A refused connection to a name with several addresses has a code and no message.
  return error.message || ("code" in error ? String(error.code) : error.name);
}
