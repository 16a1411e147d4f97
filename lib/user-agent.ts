import { readFileSync } from "node:fs";

interface Manifest {
  readonly name: string;
  readonly version: string;
}

const manifest: Manifest = JSON.parse(readFileSync(new URL("../package.json", import.meta.url), "utf8"));

/** What the program calls itself in requests that it sends, as in `workspace-data-service/1.0.0`. */
export const userAgent = `${manifest.name}/${manifest.version}`;
