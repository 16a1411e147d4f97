import { type Setting, SettingError } from "./setting.ts";
import { settings } from "./settings.ts";

/** A setting that cannot be used. Its message is one sentence that names the variable. */
export class ConfigError extends Error {}

type Settings = typeof settings;
type ValueOf<Entry> = Entry extends Setting<infer Value> ? Value : never;
type DomainConfig<Domain> = { readonly [Name in keyof Domain]: ValueOf<Domain[Name]> };
export type Config = { readonly [Domain in keyof Settings]: DomainConfig<Settings[Domain]> };

type Environment = Readonly<Record<string, string | undefined>>;

/** All settings in a row, in the order of the documentation. */
export function allSettings(): Setting<unknown>[] {
  return Object.values(settings).flatMap((domain) => Object.values(domain));
}

/**
 * Reads and checks the whole configuration. An empty variable counts as absent.
 * @throws ConfigError for the first setting that cannot be used
 */
export function loadConfig(environment: Environment = process.env): Config {
  const domain = <Domain extends object>(entries: Domain) =>
    Object.fromEntries(
      Object.entries(entries).map(([name, entry]) => [name, readSetting(entry, environment)]),
    ) as DomainConfig<Domain>;
  return {
    http: domain(settings.http),
    storage: domain(settings.storage),
    secrets: domain(settings.secrets),
    access: domain(settings.access),
    webhooks: domain(settings.webhooks),
    senders: domain(settings.senders),
    node: domain(settings.node),
  };
}

function readSetting({ env, read }: Setting<unknown>, environment: Environment): unknown {
  try {
    return read(environment[env] || undefined);
  } catch (error) {
    if (error instanceof SettingError) throw new ConfigError(`${env} ${error.message}.`);
    throw error;
  }
}

/**
 * One line a setting for the log at start: its value, "set" for a secret, "-" where there is none.
 */
export function summarizeConfig(environment: Environment = process.env): string[] {
  return allSettings().map((entry) => {
    const given = environment[entry.env] || entry.fallback || "-";
    return `${entry.env}=${entry.secret && given !== "-" ? "set" : given}`;
  });
}
