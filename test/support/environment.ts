import { allSettings } from "../../lib/config.ts";

export type Environment = Readonly<Record<string, string>>;

/** What seals secrets in tests: only a database that is not the program's own may go without. */
export const TEST_SECRET_KEY = Buffer.alloc(32, "test key").toString("base64");

/**
 * Runs work in which the program's settings are these and no others, whatever the host's environment says.
 * The work is synchronous, so that nobody else sees them.
 */
export function withEnvironment<Result>(environment: Environment, work: () => Result): Result {
  const names = allSettings().map(({ env }) => env);
  const before = names.map((name) => [name, process.env[name]] as const);
  const set = (name: string, value: string | undefined) => {
    if (value === undefined) delete process.env[name];
    else process.env[name] = value;
  };
  for (const name of names) set(name, environment[name]);
  try {
    return work();
  } finally {
    for (const [name, value] of before) set(name, value);
  }
}

/** The host's environment without the program's settings, and with these. */
export function childEnvironment(environment: Environment): NodeJS.ProcessEnv {
  const own = new Set(allSettings().map(({ env }) => env));
  const kept = Object.entries(process.env).filter(([name]) => !own.has(name));
  return { ...Object.fromEntries(kept), ...environment };
}
