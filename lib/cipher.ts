import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from "node:crypto";

const ALGORITHM = "aes-256-gcm";
const IV_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;

const sealedText = /^v1\.([0-9a-f]+)\.([\w-]+)$/;

interface NamedKey {
  readonly id: string;
  readonly key: Buffer;
  readonly fingerprintKey: Buffer;
}

/** Sealed text that none of the keys opens, or that was changed, or that belongs elsewhere. */
export class CannotOpen extends Error {}

/**
 * Seals texts for storage: AES-256-GCM, as `v1.<key id>.<iv, ciphertext and tag in base64url>`. The key id
 * says which key opens it, so that keys can be rotated.
 *
 * Each text is sealed for a place (the kind and id of the row that holds it) and opens at that place only, so
 * that whoever can write the database cannot move one workspace's secret to another's row.
 */
export class Cipher {
  readonly #current: NamedKey;
  readonly #earlier: readonly NamedKey[];
  readonly #keys: ReadonlyMap<string, Buffer>;

  /**
   * @param current 32 bytes: seals and opens
   * @param previous 32 bytes: opens what it sealed before
   */
  constructor(current: Buffer, previous?: Buffer) {
    this.#current = named(current);
    this.#earlier = previous === undefined ? [] : [named(previous)];
    this.#keys = new Map([this.#current, ...this.#earlier].map(({ id, key }) => [id, key]));
  }

  /** The name of the key that seals. It tells nothing about the key. */
  get keyId(): string {
    return this.#current.id;
  }

  /** Whether this cipher has the key of this name. */
  hasKey(keyId: string): boolean {
    return this.#keys.has(keyId);
  }

  /** How everything begins that is sealed with the current key. */
  get prefix(): string {
    return `v1.${this.keyId}.`;
  }

  seal(text: string, place: string): string {
    const iv = randomBytes(IV_BYTES);
    const cipher = createCipheriv(ALGORITHM, this.#current.key, iv, { authTagLength: TAG_BYTES });
    cipher.setAAD(Buffer.from(place));
    const sealed = Buffer.concat([iv, cipher.update(text, "utf8"), cipher.final(), cipher.getAuthTag()]);
    return this.prefix + sealed.toString("base64url");
  }

  /**
   * Names for a text that tell nothing about it without the key, not even to who tries all texts: 64 characters
   * each. The first is under the current key, to be stored; the others under earlier keys, to be compared with.
   */
  fingerprints(text: string): readonly [string, ...string[]] {
    const under = ({ fingerprintKey }: NamedKey) =>
      createHmac("sha256", fingerprintKey).update(text).digest("hex");
    return [under(this.#current), ...this.#earlier.map(under)];
  }

  /** @throws CannotOpen */
  open(sealed: string, place: string): string {
    const [, keyId = "", content = ""] = sealedText.exec(sealed) ?? [];
    const key = this.#keys.get(keyId);
    const bytes = Buffer.from(content, "base64url");
    if (!key || bytes.length < IV_BYTES + TAG_BYTES) {
      throw new CannotOpen(`No key opens what is sealed for ${place}.`);
    }
    const decipher = createDecipheriv(ALGORITHM, key, bytes.subarray(0, IV_BYTES), {
      authTagLength: TAG_BYTES,
    });
    decipher.setAAD(Buffer.from(place));
    decipher.setAuthTag(bytes.subarray(-TAG_BYTES));
    try {
      const opened = decipher.update(bytes.subarray(IV_BYTES, -TAG_BYTES));
      return Buffer.concat([opened, decipher.final()]).toString("utf8");
    } catch (cause) {
      throw new CannotOpen(`What is sealed for ${place} was changed, or belongs elsewhere.`, { cause });
    }
  }
}

/** A key under a name derived from it one-way. */
function named(key: Buffer): NamedKey {
  if (key.length !== KEY_BYTES) throw new RangeError(`A secret key has ${KEY_BYTES} bytes.`);
  const derived = (purpose: string, bytes: number) =>
    Buffer.from(hkdfSync("sha256", key, "", purpose, bytes));
  const id = derived("key id", 6).toString("hex");
  return { id, key, fingerprintKey: derived("fingerprint", KEY_BYTES) };
}
