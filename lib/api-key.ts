import { hash, randomInt } from "node:crypto";
import { crc32 } from "node:zlib";

const PREFIX = "wds_";
const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 43 characters of 62 kinds carry 256 random bits. */
const RANDOM_LENGTH = 43;
/** 6 characters of 62 kinds hold any CRC-32. */
const CHECKSUM_LENGTH = 6;
const HINT_LENGTH = 8;
const madeHere = new RegExp(`^${PREFIX}[0-9A-Za-z]{${RANDOM_LENGTH + CHECKSUM_LENGTH}}$`);

/** A new API key: the prefix, 256 random bits, and a checksum of both. */
export function newApiKey(): string {
  const random = Array.from({ length: RANDOM_LENGTH }, () => ALPHABET.charAt(randomInt(ALPHABET.length)));
  const body = PREFIX + random.join("");
  return body + checksum(body);
}

/**
 * Whether a key has the form of those made here but not their checksum, so that it can only be a mistyped
 * one. A key that an operator chose has a form of its own and is never called mistyped.
 */
export function isMistyped(key: string): boolean {
  return madeHere.test(key) && !key.endsWith(checksum(key.slice(0, -CHECKSUM_LENGTH)));
}

/** What is stored of a key, and what it is found by: its SHA-256 in hexadecimal. */
export function hashApiKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** The first characters of a key: enough to tell keys apart in a list, useless to guess one. */
export function apiKeyHint(key: string): string {
  return key.slice(0, HINT_LENGTH);
}

function checksum(body: string): string {
  let rest = crc32(body);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place += 1) {
    digits = ALPHABET.charAt(rest % ALPHABET.length) + digits;
    rest = Math.floor(rest / ALPHABET.length);
  }
  return digits;
}
