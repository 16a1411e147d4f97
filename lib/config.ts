import path from "node:path";

/** A setting that the environment gives: its name, what it means, its default, and how it is read. */
export interface Setting<Value> {
  readonly env: string;
  readonly doc: string;
  /** As it would be written in the environment; undefined where there is none. */
  readonly fallback: string | undefined;
  /** Shown in the start-up summary as "set", never by value. */
  readonly secret: boolean;
  /** The value, or a thrown {@link SettingError} whose message continues "NAME …". */
  readonly read: (text: string) => Value;
}

class SettingError extends Error {}

/** A setting that cannot be used. Its message is one sentence that names the variable. */
export class ConfigError extends Error {}

interface SettingOptions {
  fallback?: string;
  secret?: boolean;
}

function setting<Value>(
  env: string,
  doc: string,
  read: (text: string) => Value,
  { fallback, secret = false }: SettingOptions = {},
): Setting<Value> {
  return { env, doc, read, fallback, secret };
}

const integer = (min: number, max: number) => (text: string) => {
  const value = Number(text);
  if (!/^\d+$/.test(text) || value < min || value > max) {
    throw new SettingError(`must be a whole number from ${min} to ${max}`);
  }
  return value;
};

const text = (value: string) => value;

const folder = (value: string) => path.resolve(value);

const oneOf =
  <const Values extends readonly string[]>(values: Values) =>
  (value: string): Values[number] => {
    if (!values.includes(value)) throw new SettingError(`must be one of ${values.join(", ")}`);
    return value;
  };

const url = (protocols: readonly string[], origin: boolean) => (value: string) => {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (!parsed || !protocols.includes(parsed.protocol)) {
    throw new SettingError(`must be a URL that begins with ${protocols.join("// or ")}//`);
  }
  if (origin && `${parsed.origin}/` !== parsed.href) {
    throw new SettingError("must be an origin, as in https://data.example.com");
  }
  return origin ? parsed.origin : value;
};

const databaseUrl = (value: string) => {
  const parsed = new URL(url(["mysql:", "mariadb:"], false)(value));
  if (parsed.pathname.length < 2)
    throw new SettingError("must name a database, as in mysql://user:password@host/name");
  return value;
};

const origins = (value: string) =>
  value
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "")
    .map((entry) => (entry === "*" ? entry : url(["http:", "https:"], true)(entry)));

const names = (value: string) => value.split(",").map((name) => name.trim());

const bootstrapKey = (value: string) => {
  if (!/^[\x21-\x7e][\x20-\x7e]{18,998}[\x21-\x7e]$/.test(value)) {
    throw new SettingError("must be 20 to 1,000 ASCII characters, without a space at either end");
  }
  return value;
};

/** Everything that the environment can say, by domain. The README's table is this one. */
export const settings = {
  http: {
    port: setting("PORT", "TCP port of the gateway; 0 takes a free one", integer(0, 65_535), {
      fallback: "3000",
    }),
    host: setting("HOST", "Address that the gateway listens on", text, { fallback: "127.0.0.1" }),
    publicUrl: setting(
      "PUBLIC_URL",
      "Origin under which clients reach the gateway; shown in the first curl line",
      url(["http:", "https:"], true),
    ),
    corsOrigins: setting(
      "CORS_ORIGINS",
      "Origins whose pages may call the interface, comma separated; `*` for all",
      origins,
      { fallback: "" },
    ),
    shutdownTimeoutMs: setting(
      "SHUTDOWN_TIMEOUT_MS",
      "How long a stop waits for requests in flight, in milliseconds",
      integer(0, 600_000),
      { fallback: "10000" },
    ),
  },
  storage: {
    dataDir: setting("DATA_DIR", "Folder of the embedded database", folder, { fallback: "./data" }),
    databaseUrl: setting(
      "DATABASE_URL",
      "MariaDB or MySQL, as in mysql://user:password@host/name; without it SQLite in DATA_DIR",
      databaseUrl,
      { secret: true },
    ),
  },
  access: {
    bootstrapApiKey: setting(
      "BOOTSTRAP_API_KEY",
      "Key of the first workspace's admin, 20 characters or more; without it one is made and printed",
      bootstrapKey,
      { secret: true },
    ),
    rateLimitRequests: setting(
      "RATE_LIMIT_REQUESTS",
      "Requests that each key has in a window; 0 for no limit",
      integer(0, 1_000_000_000),
      { fallback: "6000" },
    ),
    rateLimitWindowSeconds: setting(
      "RATE_LIMIT_WINDOW_SECONDS",
      "Length of that window, in seconds",
      integer(1, 86_400),
      { fallback: "60" },
    ),
  },
  node: {
    services: setting("SERVICES", "Services that this process runs, comma separated; all without it", names),
    logLevel: setting(
      "LOG_LEVEL",
      "Least severity that is logged: fatal, error, warn, info, debug or trace",
      oneOf(["fatal", "error", "warn", "info", "debug", "trace"]),
      { fallback: "info" },
    ),
  },
} as const;

type Settings = typeof settings;
type ValueOf<Entry> = Entry extends Setting<infer Value> ? Value : never;
type Optional = "publicUrl" | "databaseUrl" | "bootstrapApiKey" | "services";
type DomainConfig<Domain> = {
  readonly [Name in keyof Domain]: Name extends Optional
    ? ValueOf<Domain[Name]> | undefined
    : ValueOf<Domain[Name]>;
};
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
    access: domain(settings.access),
    node: domain(settings.node),
  };
}

function readSetting(entry: Setting<unknown>, environment: Environment): unknown {
  const given = environment[entry.env] || entry.fallback;
  if (given === undefined) return undefined;
  try {
    return entry.read(given);
  } catch (error) {
    if (error instanceof SettingError) throw new ConfigError(`${entry.env} ${error.message}.`);
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
