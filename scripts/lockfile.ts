/**
 * Brings package-lock.json into the form that installs without complaint on any host. To be run after every
 * `npm install` that changes it; with --check it only says whether the file is in that form.
 *
 * Usage: node scripts/lockfile.ts [--check]
 */
import { readFile, writeFile } from "node:fs/promises";

const LOCKFILE = new URL("../package-lock.json", import.meta.url);

/** What the form is about, in an entry of package-lock.json; all else there is kept as it is. */
export interface LockedPackage {
  resolved?: string;
  engines?: Record<string, string>;
  gypfile?: boolean;
  optionalDependencies?: Record<string, string>;
}

/** package-lock.json, as lockfileVersion 3 lays it out: packages by the folder they are installed in. */
export interface Lockfile {
  packages: Record<string, LockedPackage>;
}

/**
 * Packages that ship a binary for each platform and ask not to be compiled (`"gypfile": false`). A lockfile
 * loses that word, and npm 10 then compiles them, which takes Python, make and a compiler.
 */
const NOT_TO_BE_COMPILED = new Set(["node_modules/better-sqlite3"]);

/**
 * The lockfile in the form that installs anywhere:
 * - no addresses of the registry that it was made with, so that the one of whoever installs is asked;
 * - no engines but the project's own: npm holds them against the host's Node, and ours runs the packages;
 * - `"gypfile": false` where a package says so.
 */
export function portableLockfile<L extends Lockfile>(lockfile: L): L {
  const packages = Object.entries(lockfile.packages).map(([folder, entry]) => [
    folder,
    portable(folder, entry),
  ]);
  return { ...lockfile, packages: Object.fromEntries(packages) };
}

function portable(folder: string, entry: LockedPackage): LockedPackage {
  if (folder === "") return entry;
  const { resolved, engines, gypfile, ...kept } = entry;
  return {
    ...kept,
    // What is no address of a registry says where a linked or git package is, and has no other place.
    ...(resolved !== undefined && !resolved.startsWith("http") ? { resolved } : {}),
    ...(NOT_TO_BE_COMPILED.has(folder) ? { gypfile: false } : {}),
  };
}

/**
 * The optional dependencies, as `package > dependency@version`, that the lockfile has no entry for. With such a
 * gap npm 11 refuses `npm ci`, and other platforms than the one it was made on install without their binary.
 * It is made where the registry has not (yet) that version for every platform: an older version closes it.
 */
export function missingOptionals({ packages }: Lockfile): string[] {
  return Object.entries(packages).flatMap(([folder, { optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !foldersSearched(folder, name).some((place) => place in packages))
      .map(([name, version]) => `${folder} > ${name}@${version}`),
  );
}

/** Where Node looks for a package by name, from the folder of the package that asks, in that order. */
function foldersSearched(folder: string, name: string): string[] {
  if (folder === "") return [`node_modules/${name}`];
  const parent = folder.slice(0, Math.max(0, folder.lastIndexOf("/node_modules/")));
  return [`${folder}/node_modules/${name}`, ...foldersSearched(parent, name)];
}

/** The text of a lockfile in that form, laid out as npm lays it out. */
export function portableText(text: string): string {
  const lockfile: Lockfile = JSON.parse(text);
  return `${JSON.stringify(portableLockfile(lockfile), null, 2)}\n`;
}

async function main(): Promise<void> {
  const before = await readFile(LOCKFILE, "utf8");
  const after = portableText(before);
  const missing = missingOptionals(JSON.parse(before));
  if (missing.length > 0) {
    console.error(`package-lock.json has no entry for:\n  ${missing.join("\n  ")}`);
    process.exitCode = 1;
  }
  if (before === after) {
    console.log("package-lock.json is in the form that installs anywhere.");
  } else if (process.argv.includes("--check")) {
    console.error(
      "package-lock.json is not in the form that installs anywhere: run node scripts/lockfile.ts",
    );
    process.exitCode = 1;
  } else {
    await writeFile(LOCKFILE, after);
    console.log("package-lock.json brought into the form that installs anywhere.");
  }
}

if (import.meta.main) await main();
