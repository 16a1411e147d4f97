import { readFile } from "node:fs/promises";

/** The memory that Linux counts as a process's own and shared (its resident set), in MiB. */
export async function residentMiB(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, "utf8");
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1]) / 1024;
}
