import { once } from "node:events";
import type { IncomingHttpHeaders, IncomingMessage, OutgoingHttpHeaders, ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer, type Server, type Socket } from "node:net";
import { type KeyAndCertificate, testCertificate } from "./test-authority.ts";

/*
 * A real HTTPS server for tests of what the program sends to others: it notes every request and answers as told.
 *
 *   const receiver = await startReceiver({ answer: status(200) });
 *   … receiver.url("/hook") … receiver.requests … receiver.answer = never; … await receiver.stop();
 *
 * Its certificate is one of test-authority.ts, where stands how to trust it.
 */

/** A request as it came. */
export interface ReceivedRequest {
  readonly method: string;
  /** With the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  /** Names and values in turn, as they stood on the wire. */
  readonly rawHeaders: readonly string[];
  readonly body: Buffer;
  /** Which connection it came on, counted from 1. */
  readonly connection: number;
}

/** How a request is answered once its body has come. */
export type ReceiverAnswer = (response: ServerResponse, request: ReceivedRequest) => void;

export interface ReceiverOptions {
  /** 200 with an empty body unless told. */
  readonly answer?: ReceiverAnswer;
  /** `accept` takes TCP connections and never says a word, `close` closes each at once; `tls` unless told. */
  readonly greeting?: "tls" | "accept" | "close";
  readonly certificate?: KeyAndCertificate;
  /** 127.0.0.1 unless told. */
  readonly host?: string;
  /** A free one unless told. */
  readonly port?: number;
}

export interface Receiver {
  readonly port: number;
  /** Requests whose body has come whole, in this order. */
  readonly requests: ReceivedRequest[];
  /** How the next requests are answered; may be replaced at any time. */
  answer: ReceiverAnswer;
  /** TCP connections so far. */
  connectionCount(): number;
  /** TCP connections that are open now. */
  openConnectionCount(): number;
  /** The address of a path here, by the name `localhost` unless told. */
  url(path?: string, host?: string): string;
  /** Resets every open connection, and goes on listening. */
  dropConnections(): void;
  stop(): Promise<void>;
}

/** Answers with this status, headers and body. */
export const status =
  (code: number, headers: OutgoingHttpHeaders = {}, body: string | Uint8Array = ""): ReceiverAnswer =>
  (response) => {
    response.writeHead(code, headers).end(body);
  };

/** Answers that what was asked for is elsewhere. */
export const redirect = (location: string, code = 307): ReceiverAnswer => status(code, { location });

/** Takes the request and never says a word. */
export const never: ReceiverAnswer = () => {};

/** Takes the request and closes the connection without a word. */
export const closeAtOnce: ReceiverAnswer = (response) => {
  response.socket?.destroy();
};

/** Answers 200 with so many bytes of body, written as fast as they are taken. */
export const huge =
  (totalBytes: number): ReceiverAnswer =>
  (response) => {
    const piece = Buffer.alloc(65_536, "x");
    let leftBytes = totalBytes;
    const write = () => {
      while (leftBytes > 0 && !response.destroyed) {
        const next = piece.subarray(0, Math.min(leftBytes, piece.length));
        leftBytes -= next.length;
        if (!response.write(next)) return;
      }
      response.end();
    };
    response.on("drain", write).writeHead(200);
    write();
  };

/** Answers 200 and then one byte of body after the other, without an end. */
export const dripBody =
  (pauseMs = 5): ReceiverAnswer =>
  (response) => {
    response.writeHead(200).flushHeaders();
    drip(response, pauseMs, () => response.write("x"));
  };

/** Answers with a status line and then one byte of a header after the other, without an end. */
export const dripHeaders =
  (pauseMs = 5): ReceiverAnswer =>
  (response) => {
    response.socket?.write("HTTP/1.1 200 OK\r\nX-Drip: ");
    drip(response, pauseMs, () => response.socket?.write("x"));
  };

/** Writes exactly these bytes where an answer belongs, and ends the connection unless told otherwise. */
export const raw =
  (bytes: string, { isEnded = true }: { isEnded?: boolean } = {}): ReceiverAnswer =>
  ({ socket }) => {
    if (isEnded) socket?.end(bytes);
    else socket?.write(bytes);
  };

/** Starts a receiver. Stop it when done. */
export async function startReceiver({
  answer = status(200),
  greeting = "tls",
  certificate,
  host = "127.0.0.1",
  port = 0,
}: ReceiverOptions = {}): Promise<Receiver> {
  const requests: ReceivedRequest[] = [];
  const numbers = new WeakMap<object, number>();
  const sockets = new Set<Socket>();
  let connections = 0;
  let handshakes = 0;
  const keep = (socket: Socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
  };
  const handle = (request: IncomingMessage, response: ServerResponse) => {
    response.on("error", () => {});
    readRequest(request, numbers.get(request.socket) ?? 0).then(
      (received) => {
        requests.push(received);
        receiver.answer(response, received);
      },
      () => response.destroy(),
    );
  };

  let server: Server;
  if (greeting === "tls") {
    const { key, cert } = certificate ?? (await testCertificate());
    server = createHttpsServer({ key, cert, keepAliveTimeout: 60_000 }, handle)
      .on("secureConnection", (socket) => {
        handshakes += 1;
        numbers.set(socket, handshakes);
      })
      .on("tlsClientError", (_error, socket) => socket.destroy());
  } else {
    server = createTcpServer((socket) => {
      if (greeting === "close") socket.destroy();
      else socket.resume();
    });
  }
  server.on("connection", keep).listen(port, host);
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no TCP port.");

  const dropConnections = () => {
    for (const socket of sockets) socket.resetAndDestroy();
  };
  const receiver: Receiver = {
    port: address.port,
    requests,
    answer,
    connectionCount: () => connections,
    openConnectionCount: () => sockets.size,
    url: (path = "/", name = "localhost") => `https://${name}:${address.port}${path}`,
    dropConnections,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return receiver;
}

async function readRequest(request: IncomingMessage, connection: number): Promise<ReceivedRequest> {
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece);
  return {
    method: request.method ?? "",
    path: request.url ?? "",
    headers: request.headers,
    rawHeaders: request.rawHeaders,
    body: Buffer.concat(pieces),
    connection,
  };
}

function drip(response: ServerResponse, pauseMs: number, write: () => void): void {
  const timer = setInterval(write, pauseMs);
  response.on("close", () => clearInterval(timer));
}
