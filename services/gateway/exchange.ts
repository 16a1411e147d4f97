import type { IncomingMessage, ServerResponse } from "node:http";

/** A request, and what is known of its answer. */
export interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  readonly startedAtMs: number;
  /** Headers that the answer carries whatever becomes of it: a flat list of names and values. */
  readonly headers: string[];
}

export interface Answer {
  readonly status: number;
  /** JSON text; undefined for an answer without a body. */
  readonly body?: string | undefined;
  /** A flat list of names and values. */
  readonly headers?: readonly string[];
}

/** How long the rest of a refused request is read and thrown away, so that its sender gets to read the answer. */
const LINGER_MS = 5_000;
/** A rest of a body up to this size is read to its end, and the connection stays open for the next request. */
const SMALL_BODY_BYTES = 65_536;

const SAFE_HEADERS = ["Cache-Control", "no-store", "X-Content-Type-Options", "nosniff"] as const;

/**
 * Sends an answer, unless the client is gone. Where the request has not been read to its end, the
 * connection closes behind the answer.
 * @param closes whether the connection closes in any case
 */
export function send(exchange: Exchange, { status, body, headers = [] }: Answer, closes: boolean): void {
  const { request, response, requestId } = exchange;
  if (response.destroyed) return;
  const isCutShort = !request.complete && !isSmall(request);
  const all: (string | number)[] = [
    ...SAFE_HEADERS,
    "X-Request-Id",
    requestId,
    ...exchange.headers,
    ...headers,
  ];
  if (body !== undefined) {
    all.push("Content-Type", "application/json; charset=utf-8", "Content-Length", Buffer.byteLength(body));
  }
  if (closes || isCutShort) all.push("Connection", "close");
  response.writeHead(status, all);
  if (isCutShort) endAfterRequest(request, response, body);
  else response.end(body);
}

/** Node itself reads such a rest to its end. Who waits for a word before sending it must not be kept waiting. */
function isSmall({ headers }: IncomingMessage): boolean {
  if (headers["transfer-encoding"] !== undefined || headers.expect !== undefined) return false;
  return Number(headers["content-length"] ?? 0) <= SMALL_BODY_BYTES;
}

/**
 * A client that is still sending would lose the answer if the connection were closed on it at once. It has
 * the whole answer by its length, and some time to read it.
 */
function endAfterRequest(request: IncomingMessage, response: ServerResponse, body: string | undefined): void {
  response.flushHeaders();
  if (body !== undefined) response.write(body);
  const end = () => {
    clearTimeout(timer);
    response.end();
  };
  const timer = setTimeout(end, LINGER_MS);
  request.once("end", end);
  request.once("close", end);
  request.resume();
}
