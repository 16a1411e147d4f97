import type { ErrorDetail, ServiceError } from "../../lib/errors.ts";
import { faultError } from "../../lib/faults.ts";
import { type Check, compileCheck } from "../../lib/validator.ts";
import type { Provider } from "./providers/provider.ts";

/** Keys and values as a client sends them. */
export type Config = Readonly<Record<string, unknown>>;

interface Checks {
  readonly whole: Check;
  readonly patch: Check;
}

const checksOf = new WeakMap<Provider, Checks>();

function compiled(provider: Provider): Checks {
  const known = checksOf.get(provider);
  if (known) return known;
  const { required: _, ...patch } = provider.config;
  const checks = { whole: compileCheck(provider.config), patch: compileCheck(patch) };
  checksOf.set(provider, checks);
  return checks;
}

/**
 * Refuses a config with which the provider could not be connected.
 * @throws ServiceError 422, or 400 where a text or list is over its limit; the fault's path as in `config.channel`
 */
export function checkConfig(provider: Provider, config: Config): void {
  refuse(compiled(provider).whole(config));
}

/** Refuses keys and values that no config of the provider has. Throws as {@link checkConfig}. */
export function checkConfigPatch(provider: Provider, patch: Config): void {
  refuse(compiled(provider).patch(patch));
}

function refuse(fault: ServiceError | undefined): void {
  if (!fault) return;
  const code = fault.errorCode === "invalid_request" ? "invalid_request" : "unprocessable";
  throw faultError(code, fault.details.map(withinConfig));
}

function withinConfig({ path, message }: ErrorDetail): ErrorDetail {
  return { path: `config.${path}`, message };
}

/** A config taken apart into what may be shown and what may not, each in the client's order. */
export function splitConfig({ credentials }: Provider, config: Config): { shown: Config; secret: Config } {
  const entries = Object.entries(config);
  return {
    shown: Object.fromEntries(entries.filter(([key]) => !credentials.includes(key))),
    secret: Object.fromEntries(entries.filter(([key]) => credentials.includes(key))),
  };
}
