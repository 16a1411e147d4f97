import type { ServiceBroker } from "moleculer";
import { CALL_SYNOPSIS, DIRECT_CALL_SYNOPSIS, helpOfCall } from "./call-command.ts";
import type { Command } from "./command.ts";
import { type Described, helpWords, listCommands, listDescribed, synopsis } from "./command-line.ts";
import { callWords, groupOf, leaveWords, stockWords } from "./console-words.ts";

/** The console's own commands, beside those that `npm run admin` has too. */
const consoleCommands: readonly Described[] = [
  {
    synopsis: CALL_SYNOPSIS,
    help: "Call an action, on any node that has it, and print what it answers as JSON",
  },
  { synopsis: DIRECT_CALL_SYNOPSIS, help: "Call an action on one node" },
  { synopsis: "call <action> --help", help: "Show the members that an action takes" },
  { synopsis: "info", help: "Show the node that this console is, and what it is connected with" },
  { synopsis: "env", help: "Show the settings, without the secrets among them" },
  { synopsis: "help [<command>]", help: "Show this page, or how a command is typed" },
  { synopsis: "quit", help: "Leave; so do exit, q and the end of the input" },
];

/** The page of `help`. */
function helpOfConsole(commands: readonly Command[]): string {
  const shared = commands.map((command) => ({ synopsis: synopsis(command), help: command.help }));
  return `${listDescribed([...shared, ...consoleCommands])}

To look inside, from moleculer-repl: ${stockWords.join(", ")}. \`help <command>\` says what each can show.`;
}

/**
 * What to print where a line asks for help; undefined where it does not, or where moleculer-repl has the answer.
 * @param typed the words of the line
 * @throws UsageError where there is no such action
 */
export function helpAskedFor(
  broker: ServiceBroker,
  commands: readonly Command[],
  typed: readonly string[],
): string | undefined {
  const isHelp = typed[0] === "help";
  if (!isHelp && !typed.some((word) => helpWords.has(word))) return undefined;
  const about = typed.slice(isHelp ? 1 : 0).filter((word) => !helpWords.has(word));
  const [topic] = about;
  if (topic === undefined || topic === "help") return helpOfConsole(commands);
  if (callWords.has(topic)) return helpOfCall(broker, about);
  const group = commands.filter(({ name }) => groupOf(name) === topic);
  if (group.length > 0) return listCommands(group);
  const word = leaveWords.has(topic) ? "quit" : topic;
  const own = consoleCommands.filter((command) => groupOf(command.synopsis) === word);
  return own.length > 0 ? listDescribed(own) : undefined;
}
