import path from "node:path";
import { NetworksError, parseNetworks } from "./outbound/networks.ts";

/** A setting that the environment gives: its name, what it means, its default, and how it is read. */
export interface Setting<Value> {
  readonly env: string;
  readonly doc: string;
  /** As it would be written in the environment; undefined where there is none. */
  readonly fallback: string | undefined;
  /** Shown in the start-up summary as "set", never by value. */
  readonly secret: boolean;
  /** The value; of undefined where neither the environment nor a default says anything. Throws {@link SettingError}. */
  readonly read: (text: string | undefined) => Value;
}

/** What is wrong with a setting: continues "NAME …". */
export class SettingError extends Error {}

type Read<Value> = (text: string) => Value;

/** A setting that always has a value. */
export function setting<Value>(
  env: string,
  doc: string,
  read: Read<Value>,
  fallback: string,
): Setting<Value> {
  return { env, doc, fallback, secret: false, read: (text = fallback) => read(text) };
}

/** A setting that may be absent. */
export function optional<Value>(env: string, doc: string, read: Read<Value>): Setting<Value | undefined> {
  return {
    env,
    doc,
    fallback: undefined,
    secret: false,
    read: (text) => (text === undefined ? undefined : read(text)),
  };
}

/** An optional setting whose value is shown nowhere. */
export function secret<Value>(env: string, doc: string, read: Read<Value>): Setting<Value | undefined> {
  return { ...optional(env, doc, read), secret: true };
}

export const text = (value: string) => value;

/** A path, from where the program was started. */
export const filePath = (value: string) => path.resolve(value);

export const integer = (min: number, max: number) => (value: string) => {
  const number = Number(value);
  if (!/^\d+$/.test(value) || number < min || number > max) {
    throw new SettingError(`must be a whole number from ${min} to ${max}`);
  }
  return number;
};

export const oneOf =
  <const Values extends readonly string[]>(values: Values) =>
  (value: string): Values[number] => {
    if (!values.includes(value)) throw new SettingError(`must be one of ${values.join(", ")}`);
    return value;
  };

/** Comma separated names; an empty one is kept, for whoever knows the names to refuse. */
export const names = (value: string) => value.split(",").map((name) => name.trim());

/** Comma separated entries without the empty ones, each read by itself. */
export const list =
  <Value>(read: Read<Value>) =>
  (value: string): Value[] =>
    names(value)
      .filter((entry) => entry !== "")
      .map(read);

/** A URL with one of these protocols, each with its colon. */
export const url = (protocols: readonly string[]) => (value: string) => {
  parseUrl(protocols, value);
  return value;
};

/** A URL of nothing but protocol, host and port. */
export const origin = (value: string) => {
  const parsed = parseUrl(["http:", "https:"], value);
  if (`${parsed.origin}/` !== parsed.href) {
    throw new SettingError("must be an origin, as in https://data.example.com");
  }
  return parsed.origin;
};

export const databaseUrl = (value: string) => {
  const { pathname } = parseUrl(["mysql:", "mariadb:"], value);
  if (pathname.length < 2) {
    throw new SettingError("must name a database, as in mysql://user:password@host/name");
  }
  return value;
};

/** URLs of NATS servers of one cluster, comma separated. */
export const natsServers = (value: string) => {
  for (const server of names(value)) {
    const { hostname, username, password } = parseUrl(["nats:"], server);
    if (hostname === "") throw new SettingError("must name a host, as in nats://host:4222");
    // The client takes both as they stand in the URL.
    if (/%/.test(username + password)) {
      throw new SettingError("must have a user and a password that need no escapes in a URL");
    }
  }
  return value;
};

export const bootstrapKey = (value: string) => {
  if (!/^[\x21-\x7e][\x20-\x7e]{18,998}[\x21-\x7e]$/.test(value)) {
    throw new SettingError("must be 20 to 1,000 ASCII characters, without a space at either end");
  }
  return value;
};

/** 32 bytes in base64, with or without padding, of either alphabet. */
export const secretKey = (value: string) => {
  const bytes = Buffer.from(value.trim(), "base64");
  if (!/^[\w+/-]{43}=?$/.test(value.trim()) || bytes.length !== 32) {
    throw new SettingError("must be 32 bytes in base64, as `openssl rand -base64 32` prints them");
  }
  return bytes;
};

/** Comma separated networks in CIDR notation, as in `10.0.0.0/8, fd00::/8`. */
export const networks = (value: string) => {
  try {
    return parseNetworks(value);
  } catch (error) {
    throw error instanceof NetworksError ? new SettingError(error.message) : error;
  }
};

function parseUrl(protocols: readonly string[], value: string): URL {
  const parsed = URL.canParse(value) ? new URL(value) : undefined;
  if (!parsed || !protocols.includes(parsed.protocol)) {
    throw new SettingError(`must be a URL that begins with ${protocols.join("// or ")}//`);
  }
  return parsed;
}
