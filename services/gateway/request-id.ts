import { randomBytes } from "node:crypto";

const acceptable = /^[A-Za-z0-9._-]{1,128}$/;

/** Tells the ids that this process makes from those of others, and from those of its former lives. */
const processPart = randomBytes(9).toString("base64url");
let made = 0;

/**
 * The id under which a request is answered and logged.
 * @param given the client's `X-Request-Id`; it counts where it is 1 to 128 of `A-Za-z0-9._-`
 */
export function requestIdOf(given: string | readonly string[] | undefined): string {
  if (typeof given === "string" && acceptable.test(given)) return given;
  made += 1;
  return `${processPart}-${made.toString(36)}`;
}
