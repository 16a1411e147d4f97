import type { Config } from "./config.ts";

/** What a start made of an empty database. */
export interface FirstStart {
  readonly workspaceId: string;
  /** The admin's key, which nobody can show again; undefined where the operator chose it. */
  readonly key?: string | undefined;
}

const unspecified: Readonly<Record<string, string>> = { "0.0.0.0": "127.0.0.1", "::": "::1" };

/** An address under which clients on this host reach the gateway, or the one that the operator published. */
export function baseUrlOf({ publicUrl, host, port }: Config["http"]): string {
  if (publicUrl !== undefined) return publicUrl;
  const reachable = unspecified[host] ?? host;
  return `http://${reachable.includes(":") ? `[${reachable}]` : reachable}:${port}`;
}

/** What the operator is told at the very first start: the key, and a command that uses it where one would work. */
export function firstStartNotice({ workspaceId, key }: FirstStart, baseUrl: string | undefined): string {
  const told = key === undefined ? ["Its key is BOOTSTRAP_API_KEY."] : ["Its key, shown this once:", "", key];
  if (baseUrl === undefined) return paragraph([`The workspace ${workspaceId} was made.`, ...told]);
  const curl = `curl -H "Authorization: Bearer ${key ?? "$BOOTSTRAP_API_KEY"}" ${baseUrl}/v1/data`;
  return paragraph([`The workspace ${workspaceId} is ready.`, ...told, "", "Try it:", "", curl]);
}

function paragraph(lines: readonly string[]): string {
  return `\n${lines.map((line) => `  ${line}`.trimEnd()).join("\n")}\n\n`;
}
