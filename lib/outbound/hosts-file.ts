import { readFile } from "node:fs/promises";
import { parseAddress } from "./ip-address.ts";

const REREAD_AFTER_MS = 5000;

/** The names that this host's own file gives addresses to, as the system's look-ups know them too. */
export class HostsFile {
  readonly #path: string;
  readonly #now: () => number;
  #readAtMs = Number.NEGATIVE_INFINITY;
  #addresses: Promise<ReadonlyMap<string, readonly string[]>> | undefined;

  /**
   * @param path of the file; one that cannot be read has no names
   * @param now milliseconds of a clock that never goes back; the file is read anew after five seconds
   */
  constructor(path = "/etc/hosts", now: () => number = () => performance.now()) {
    this.#path = path;
    this.#now = now;
  }

  /** The addresses that stand beside this name (in lower case); none where it is not there. */
  async addressesOf(name: string): Promise<readonly string[]> {
    if (this.#addresses === undefined || this.#now() - this.#readAtMs >= REREAD_AFTER_MS) {
      this.#readAtMs = this.#now();
      this.#addresses = readFile(this.#path, "utf8").then(parseHosts, () => new Map());
    }
    return (await this.#addresses).get(name) ?? [];
  }
}

/** Reads the text of a hosts file: an address and its names in each line. Lines that are malformed are skipped. */
export function parseHosts(text: string): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const line of text.split("\n")) {
    const [address = "", ...names] = (line.split("#")[0] ?? "").trim().split(/\s+/);
    if (!parseAddress(address)) continue;
    for (const name of new Set(names.map((each) => each.toLowerCase()))) {
      const known = found.get(name);
      if (known) known.push(address);
      else found.set(name, [address]);
    }
  }
  return found;
}
