import { accessSync, constants, statSync } from "node:fs";
import { delimiter, join } from "node:path";

/** Where packages put the server's programs without a word in PATH. */
export const FOLDERS = [
  "/usr/sbin",
  "/usr/local/sbin",
  "/usr/libexec",
  "/opt/homebrew/bin",
  "/opt/homebrew/sbin",
];

/** Paths of the two programs that a server of one's own takes. */
export interface MariaDbBinaries {
  server: string;
  install: string;
}

/**
 * Looks for MariaDB's programs in `path` (folders as in PATH) and in the usual folders.
 *
 * @returns their paths, or undefined where one is missing.
 */
export function findMariaDb(path = process.env.PATH ?? "", usual = FOLDERS): MariaDbBinaries | undefined {
  const folders = [...path.split(delimiter).filter(Boolean), ...usual];
  const server = findProgram(folders, "mariadbd");
  const install = findProgram(folders, "mariadb-install-db") ?? findProgram(folders, "mysql_install_db");
  return server !== undefined && install !== undefined ? { server, install } : undefined;
}

/** The path of the first program of this name in the folders. */
export function findProgram(folders: string[], name: string): string | undefined {
  return folders.map((folder) => join(folder, name)).find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
