import { spawn } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

const PROGRAM = fileURLToPath(new URL("./lock-holder.child.ts", import.meta.url));

export interface LockHolder {
  /** Lets it commit, and resolves once its process has ended. */
  release(): Promise<void>;
}

/** Another process that holds the file's write lock. */
export async function holdWriteLock(file: string): Promise<LockHolder> {
  const child = spawn(process.execPath, [PROGRAM, file], { stdio: ["pipe", "pipe", "inherit"] });
  const exited = once(child, "exit");
  await Promise.race([once(child.stdout, "data"), exited.then(() => Promise.reject(new Error("It ended.")))]);
  return {
    release: async () => {
      child.stdin.end();
      await exited;
    },
  };
}
