import { afterEach } from "@jest/globals";
import type { Config } from "../../lib/config.ts";
import type { Environment } from "./environment.ts";
import { type ProcessOptions, type ProgramProcess, startProcess } from "./process.ts";

/** Opens the first workspace of every service that is started here, after each restart too. */
const KEY = "key-of-the-durability-tests";

const started: ProgramProcess[] = [];

afterEach(async () => {
  for (const service of started.splice(0)) await service.stop("SIGKILL");
});

/**
 * Starts the program in a process of its own on a database that outlives it. What a test leaves running ends
 * with the test.
 */
export async function startService(
  { dataDir, databaseUrl }: Config["storage"],
  env: Environment = {},
  options: Pick<ProcessOptions, "isReadyAwaited"> = {},
): Promise<ProgramProcess> {
  const common = { BOOTSTRAP_API_KEY: KEY, RATE_LIMIT_REQUESTS: "0", LOG_LEVEL: "warn", ...env };
  const service =
    databaseUrl === undefined
      ? await startProcess({ ...options, dataDir, env: common })
      : await startProcess({ ...options, env: { ...common, DATABASE_URL: databaseUrl } });
  started.push(service);
  return service;
}
