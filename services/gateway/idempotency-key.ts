import { hash } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import { invalidMember } from "../../lib/errors.ts";
import type { IdempotentRequest } from "../../mixins/action.ts";
import type { PathParams } from "./router.ts";

/** Visible ASCII. Node joins repeated headers with a comma and a space, so these are refused too. */
const acceptable = /^[\x21-\x7e]{1,255}$/;

/** What of a request says whether another one is the same. */
export interface Sent {
  /** The route's path, with its parameters apart: however a client writes them. */
  readonly path: string;
  readonly pathParams: PathParams;
  /** The body's bytes; of a route without a body, the query. */
  readonly content: string | Uint8Array;
}

/**
 * What an `Idempotency-Key` stands for; undefined without one.
 * @throws ServiceError `invalid_request` where it is malformed or repeated
 */
export function idempotencyOf(headers: IncomingHttpHeaders, sent: Sent): IdempotentRequest | undefined {
  const key = headers["idempotency-key"];
  if (key === undefined) return undefined;
  if (typeof key !== "string" || !acceptable.test(key)) {
    throw invalidMember("Idempotency-Key", "must be 1 to 255 visible ASCII characters, and be sent once");
  }
  const name = JSON.stringify([sent.path, ...Object.values(sent.pathParams), key]);
  return { requestHash: hash("sha256", name), bodyHash: hash("sha256", sent.content) };
}
