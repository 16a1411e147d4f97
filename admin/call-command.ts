import type { ServiceBroker } from "moleculer";
import { stringifyOrdered } from "../lib/ordered-json.ts";
import { actionHelp } from "./action-help.ts";
import { readParams } from "./call-params.ts";
import { UsageError } from "./command-line.ts";
import { findAction } from "./declared-action.ts";
import { printable } from "./table.ts";

export const CALL_SYNOPSIS = "call <action> [--member <value>]…";
export const DIRECT_CALL_SYNOPSIS = "dcall <node id> <action> [--member <value>]…";

const callHelp = `${CALL_SYNOPSIS}
${DIRECT_CALL_SYNOPSIS}

Calls an action, of any node or of one, and prints what it answers as JSON. The action's schema says what a
value is: text, number, list or object. Lists repeat the member, dots lead into objects, and JSON does both:

  call records.create --name "Spring plan" --type note --tags a --tags b --fields.owner Ana
  call records.create {"name": "Spring plan", "type": "note"}

\`actions\` lists what there is, and \`call <action> --help\` the members that an action takes. What
belongs to a workspace runs as its oldest admin, in the only workspace or the one that \`workspace <id>\` chose.`;

/**
 * Runs `call` or `dcall`.
 * @param typed the words of the whole line
 * @returns the lines to print
 * @throws UsageError, and whatever the action throws
 */
export async function runCall(broker: ServiceBroker, typed: readonly string[]): Promise<string[]> {
  const { isDirect, nodeID, action, rest } = partsOf(typed);
  if (action === undefined || action.startsWith("--")) {
    const synopsis = isDirect ? DIRECT_CALL_SYNOPSIS : CALL_SYNOPSIS;
    throw new UsageError(`The <action> is missing.\nUsage: ${synopsis}`);
  }
  const params = readParams(rest, findAction(broker, action)?.schema);
  const answer = await broker.call<unknown, object>(action, params, nodeID === undefined ? {} : { nodeID });
  return renderAnswer(answer).split("\n");
}

/**
 * The help of `call` and `dcall`, or of the action that is named with them.
 * @param typed the words without those that ask for help
 * @throws UsageError where there is no such action
 */
export function helpOfCall(broker: ServiceBroker, typed: readonly string[]): string {
  const { action } = partsOf(typed);
  if (action === undefined) return callHelp;
  const declared = findAction(broker, action);
  if (!declared) throw new UsageError(`There is no action ${printable(action)}; \`actions\` lists them.`);
  return actionHelp(action, declared);
}

function partsOf(typed: readonly string[]) {
  const isDirect = typed[0] === "dcall";
  const [action, ...rest] = typed.slice(isDirect ? 2 : 1);
  return { isDirect, nodeID: isDirect ? typed[1] : undefined, action, rest };
}

/** Answers hold what clients wrote: whatever could steer the terminal is escaped, which JSON allows in texts. */
function renderAnswer(answer: unknown): string {
  const text = stringifyOrdered(answer ?? null, 2);
  return text.replace(/[^\n]/gu, (character) =>
    printable(character) === character ? character : escaped(character),
  );
}

function escaped(character: string): string {
  return Array.from(
    { length: character.length },
    (_, place) => `\\u${character.charCodeAt(place).toString(16).padStart(4, "0")}`,
  ).join("");
}
