import { delimiter } from "node:path";
import { FOLDERS, findProgram } from "./mariadb-binaries.ts";

/** The path of a NATS server's program in `path` (folders as in PATH) or the usual folders, if there is one. */
export function findNats(path = process.env.PATH ?? "", usual = FOLDERS): string | undefined {
  return findProgram([...path.split(delimiter).filter(Boolean), ...usual], "nats-server");
}
