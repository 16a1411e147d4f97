import { createHmac } from "node:crypto";

/**
 * What a receiver recomputes to know who sent a body: `sha256=` and the HMAC-SHA256 in lowercase hexadecimal.
 * @param body the exact bytes that are sent
 * @param secret the key, as UTF-8
 */
export function signatureOf(body: Uint8Array, secret: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}
