import { spawn } from "node:child_process";
import path from "node:path";
import { text as readText } from "node:stream/consumers";
import { childEnvironment, type Environment } from "../../../support/environment.ts";

export const projectRoot = path.resolve(import.meta.dirname, "../../../..");

/**
 * Runs a script in bash, in the project's folder, as a reader would.
 * @returns what it printed
 * @throws Error with everything that it printed where a command of it fails
 */
export async function runInBash(script: string, environment: Environment): Promise<string> {
  const child = spawn("bash", ["-e", "-u", "-o", "pipefail", "-c", script], {
    cwd: projectRoot,
    env: childEnvironment(environment),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  const [stdout, stderr, code] = await Promise.all([readText(child.stdout), readText(child.stderr), ended]);
  if (code !== 0) throw new Error(`Ended with ${code}:\n${script}\n${stdout}${stderr}`);
  return stdout;
}
