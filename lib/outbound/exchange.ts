import type { ClientRequest, IncomingMessage } from "node:http";
import { type Agent, type RequestOptions, request as startRequest } from "node:https";
import { isIPv6, type LookupFunction } from "node:net";
import type { Readable } from "node:stream";
import axios from "axios";
import type { Target } from "./target.ts";

/** How far a request has come. */
export type Stage = "resolve" | "connect" | "handshake" | "wait" | "read";

/** What is known of a request while it runs, and after it failed. */
export interface Progress {
  stage: Stage;
  /** Whether it went out on a connection that an earlier one had left. */
  isReused: boolean;
  /** Whether any byte came back, be it of an answer's first line. */
  hasAnswerBytes: boolean;
}

/** What a receiver answered. */
export interface OutboundAnswer {
  readonly statusCode: number;
  /** By name in lower case; a header that came several times is joined with commas. */
  readonly headers: Readonly<Record<string, string>>;
  /** As it came: its encoding, if any, is not undone. */
  readonly body: Buffer;
  /** Whether the body goes on beyond what was read. */
  readonly isTruncated: boolean;
}

export interface Exchange {
  readonly target: Target;
  /** Where it may connect to, in the order in which to try. */
  readonly addresses: readonly string[];
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly agent: Agent;
  readonly signal: AbortSignal;
}

export const MAX_ANSWER_BYTES = 65_536;
const MAX_ANSWER_HEADER_BYTES = 16_384;

/** What the client or Node would otherwise send of its own accord. */
const silencedHeaders = { accept: false, "content-type": false, "user-agent": false } as const;

/** Posts without a redirect, a proxy or a decompression, and gives every answer back as a stream. */
export const plainPosts = axios.create({
  adapter: "http",
  method: "post",
  proxy: false,
  maxRedirects: 0,
  decompress: false,
  responseType: "stream",
  // Bytes go and come as they are.
  transformRequest: [],
  transformResponse: [],
  validateStatus: null,
  insecureHTTPParser: false,
});

/**
 * Posts once, on a connection of the agent, and reads the answer up to its bound.
 * @param progress is kept up to date, for whoever must say at which stage it ended
 */
export async function exchange(request: Exchange, progress: Progress): Promise<OutboundAnswer> {
  const { target, headers, body, agent, signal } = request;
  progress.stage = "connect";
  const response = await plainPosts.request<Readable>({
    url: target.url,
    headers: { ...silencedHeaders, ...headers, "accept-encoding": "identity" },
    data: body,
    httpsAgent: agent,
    signal,
    transport: transportTo(request, progress),
  });
  progress.stage = "read";
  // The one header that is a list; nobody here keeps cookies.
  const { "set-cookie": _, ...single } = response.headers;
  return {
    statusCode: response.status,
    headers: Object.fromEntries(Object.entries(single).map(([name, value]) => [name, String(value)])),
    ...(await readBounded(response.data)),
  };
}

/** Node's own client, bound to the vetted addresses whatever it is asked to resolve. */
function transportTo({ target, addresses }: Exchange, progress: Progress) {
  const lookup = pinnedLookup(addresses);
  // No server name goes with an address; it is still what the certificate must be for.
  const servername = target.isAddress ? "" : target.host;
  return {
    request: (options: RequestOptions, onResponse: (response: IncomingMessage) => void) => {
      const bound = { ...options, lookup, servername, maxHeaderSize: MAX_ANSWER_HEADER_BYTES };
      const request = startRequest(bound, onResponse);
      request.on("socket", () => observe(request, progress));
      // Nobody asked for it, and Node would leave the request without an end.
      request.on("upgrade", (_response, socket) => {
        socket.destroy();
        request.emit("error", Object.assign(new Error("Unasked upgrade"), { code: "HPE_UNASKED_UPGRADE" }));
      });
      return request;
    },
  };
}

function pinnedLookup(addresses: readonly string[]): LookupFunction {
  const entries = addresses.map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
  return (_name, { all }, callback) => {
    const [first] = entries;
    if (all) callback(null, entries);
    else if (first) callback(null, first.address, first.family);
  };
}

function observe(request: ClientRequest, progress: Progress): void {
  const { socket } = request;
  if (!socket) return;
  progress.isReused = request.reusedSocket;
  const onConnect = () => {
    progress.stage = "handshake";
  };
  const onSecure = () => {
    progress.stage = "wait";
  };
  const onData = () => {
    progress.hasAnswerBytes = true;
  };
  if (request.reusedSocket) onSecure();
  else socket.once("connect", onConnect).once("secureConnect", onSecure);
  socket.once("data", onData);
  request.once("close", () => {
    socket.off("connect", onConnect).off("secureConnect", onSecure).off("data", onData);
  });
}

/** An answer's body up to its bound. Leaving the loop early destroys the stream, and the connection with it. */
export async function readBounded(stream: Readable): Promise<{ body: Buffer; isTruncated: boolean }> {
  const pieces: Buffer[] = [];
  let bytes = 0;
  for await (const piece of stream) {
    pieces.push(piece);
    bytes += piece.length;
    if (bytes > MAX_ANSWER_BYTES) break;
  }
  const body = Buffer.concat(pieces, Math.min(bytes, MAX_ANSWER_BYTES));
  return { body, isTruncated: bytes > MAX_ANSWER_BYTES };
}
