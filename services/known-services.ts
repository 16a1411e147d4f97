import { existsSync, readdirSync } from "node:fs";

/** The names of the services that the program has: of the folders here that hold one. */
export function knownServices(): string[] {
  return readdirSync(import.meta.dirname, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && hasService(entry.name))
    .map(({ name }) => name);
}

function hasService(name: string): boolean {
  return existsSync(new URL(`./${name}/${name}.service.ts`, import.meta.url));
}
