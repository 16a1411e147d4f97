import { inspect } from "node:util";
import { UsageError } from "./command-line.ts";
import { printable } from "./table.ts";

/**
 * An error in one line: its code, what it says, and the members at fault. It may come from another node, which
 * keeps an error's type, message and data, and not its class. What was typed in a wrong way may take two lines.
 */
export function describeError(error: unknown): string {
  if (error instanceof UsageError) return error.message;
  if (!(error instanceof Error)) return printable(inspect(error));
  const { code, data } = partsOf(error);
  if (code === "SERVICE_NOT_FOUND" || code === "SERVICE_NOT_AVAILABLE") {
    const place = member(data, "nodeID") === undefined ? "here" : `on node ${member(data, "nodeID")}`;
    return printable(`There is no action ${member(data, "action")} ${place}; \`actions\` lists them.`);
  }
  const details = describeDetails(member(data, "details"), error.message);
  const cause = code === "unavailable" && error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return printable(`${code}: ${error.message}${details}${cause}`);
}

function partsOf(error: Error): { code: string; data: unknown } {
  const type =
    "type" in error && typeof error.type === "string" && error.type !== "" ? error.type : undefined;
  return { code: type ?? "internal", data: "data" in error ? error.data : undefined };
}

/** The members at fault, but for those that the message tells. */
function describeDetails(details: unknown, message: string): string {
  if (!Array.isArray(details)) return "";
  const entries = details
    .map((detail) => `${member(detail, "path")} ${member(detail, "message")}`.trim())
    .filter((entry) => !message.includes(entry));
  return entries.length === 0 ? "" : ` [${entries.join("; ")}]`;
}

function member(value: unknown, name: string): unknown {
  return typeof value === "object" && value !== null && name in value ? Reflect.get(value, name) : undefined;
}
