import { isIP } from "node:net";
import { OutboundError } from "./outbound-error.ts";

/** Where a request goes, in the one spelling that everything after goes by. */
export interface Target {
  readonly url: string;
  /** Scheme, host and port. */
  readonly origin: string;
  /** The host name without a trailing dot, or the IP address without brackets. */
  readonly host: string;
  /** Whether the host is an IP address, so that there is no name to resolve. */
  readonly isAddress: boolean;
}

const MAX_NAME_LENGTH = 253;

/**
 * Reads an address that a user set. All spellings of a host become one: `0x7f000001`, `127.1`, `0177.0.0.1`
 * and `127.0.0.1.` are `127.0.0.1`, and `example.com.` is `example.com`.
 * @throws OutboundError `url` where it is no https URL, names a user, or has a host that can be none
 */
export function readTarget(text: string): Target {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url) throw new OutboundError("url", "it is not a valid URL");
  if (url.protocol !== "https:") throw new OutboundError("url", "it must begin with https://");
  if (url.username !== "" || url.password !== "") {
    throw new OutboundError("url", "it must not have a user name or a password in it");
  }
  if (url.hostname.endsWith(".")) url.hostname = url.hostname.slice(0, -1);
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const isAddress = isIP(host) !== 0;
  if (!isAddress && !isHostName(host)) throw new OutboundError("url", "its host name is not valid");
  url.hash = "";
  return { url: url.href, origin: url.origin, host, isAddress };
}

function isHostName(host: string): boolean {
  const labels = host.split(".");
  return host.length <= MAX_NAME_LENGTH && labels.every((label) => label.length >= 1 && label.length <= 63);
}
