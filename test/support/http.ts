import {
  type Agent,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  request as openRequest,
} from "node:http";
import { text as readText } from "node:stream/consumers";

/** A running gateway on this host. */
export interface Target {
  readonly port: number;
  /** A key that works; empty where the test brings its own. */
  readonly key: string;
}

export interface RequestOptions {
  /** An object is sent as JSON with its content type; text and bytes as they are. */
  readonly body?: object | string | Uint8Array;
  readonly headers?: OutgoingHttpHeaders;
  /** Another key than the target's; null for none. */
  readonly key?: string | null;
  /** Keeps connections open between requests; without one each has its own. */
  readonly agent?: Agent;
}

export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly details?: readonly { readonly path: string; readonly message: string }[];
  readonly request_id: string;
}

/** The members that a body of the interface can have. */
export interface JsonBody<Data = unknown> {
  readonly success: boolean;
  readonly data: Data;
  readonly meta: Readonly<Record<string, unknown>>;
  readonly error: ErrorBody;
}

export interface HttpAnswer<Data = unknown> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The parsed text; an empty object where there is none. */
  readonly body: JsonBody<Data>;
}

/** Sends one request to a gateway and reads its answer. */
export async function request<Data = unknown>(
  { port, key: ownKey }: Target,
  method: string,
  path: string,
  { body, headers, key = ownKey, agent }: RequestOptions = {},
): Promise<HttpAnswer<Data>> {
  const isObject = typeof body === "object" && !(body instanceof Uint8Array);
  const payload = isObject ? JSON.stringify(body) : body;
  const allHeaders = {
    ...(key === null ? {} : { Authorization: `Bearer ${key}` }),
    ...(isObject ? { "Content-Type": "application/json" } : {}),
    ...(payload === undefined ? {} : { "Content-Length": Buffer.byteLength(payload) }),
    ...headers,
  };
  return await new Promise((resolve, reject) => {
    const sent = openRequest(
      { host: "127.0.0.1", port, method, path, headers: allHeaders, agent: agent ?? false },
      (response) => {
        readText(response).then((text) => {
          const parsed = text === "" ? {} : JSON.parse(text);
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, body: parsed });
        }, reject);
      },
    );
    sent.once("error", reject);
    sent.end(payload);
  });
}
