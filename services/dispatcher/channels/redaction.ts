const REDACTED = "[redacted]";
/** Shorter parts of an address are words such as "api", which open nothing. */
const MIN_PART_LENGTH = 8;

/** What may be shown nowhere although the receiver knows it, and may repeat it. */
export type Secrets = readonly string[];

/** What of an address that is a credential a receiver may repeat: all of it, or a part of its path or query. */
export function addressSecrets(address: string): Secrets {
  const { href, pathname, search } = new URL(address);
  const parts = `${pathname}${search}`.split(/[/?&=]/).filter((part) => part.length >= MIN_PART_LENGTH);
  return [address, href, ...parts];
}

/** A receiver's text without the secrets. To be called before it is cut, so that no part of one is left. */
export function withoutSecrets(text: string, secrets: Secrets): string {
  // The longest first: one may be a part of another.
  const ordered = secrets
    .filter((secret) => secret !== "")
    .toSorted((one, other) => other.length - one.length);
  return ordered.reduce((cleaned, secret) => cleaned.replaceAll(secret, REDACTED), text);
}
