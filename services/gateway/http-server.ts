import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describeMalformed, rawRefusal } from "./malformed.ts";

export type RequestHandler = (request: IncomingMessage, response: ServerResponse) => void;

interface Connection {
  readonly socket: Socket;
  /** Responses that are not finished, in the order of their requests: a client need not wait for answers. */
  readonly pending: ServerResponse[];
}

const limits = {
  headersTimeout: 10_000,
  /** From a request's first byte to its last. */
  requestTimeout: 30_000,
  /** Longer than the usual load balancers keep theirs, so that they are the ones who close. */
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 2_000,
  /** The pipeline judges that, and answers in its own form. */
  requireHostHeader: false,
};

/** How long a client whose bytes made no sense has to read the answer. */
const PARTING_MS = 2_000;
/** How long a connection without a request may still bring one while draining: it may be on its way. */
const IDLE_GRACE_MS = 250;
const SWEEP_INTERVAL_MS = 20;
/** Turns of the event loop after which every connection is accepted that had arrived before. */
const TURNS_TO_ACCEPT = 3;

/** Node's HTTP server with limits, an answer to what is no HTTP, and an end that leaves no request unanswered. */
export class HttpServer {
  readonly server: Server;
  readonly #connections = new Map<Duplex, Connection>();
  readonly #malformed = new WeakSet<Duplex>();
  #isDraining = false;

  constructor(handler: RequestHandler) {
    const accept = (request: IncomingMessage, response: ServerResponse) => {
      this.#keepTrack(response);
      handler(request, response);
    };
    this.server = createServer(limits, accept);
    // Whether to go on is said when the body is about to be read. Other expectations may be ignored.
    this.server.on("checkContinue", accept);
    this.server.on("checkExpectation", accept);
    this.server.on("connection", (socket) => {
      this.#connections.set(socket, { socket, pending: [] });
      socket.once("close", () => this.#connections.delete(socket));
    });
    this.server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
      this.#refuseMalformed(error.code, socket);
    });
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** While draining, a connection closes behind the answer to the last of its requests. */
  closesAfter(response: ServerResponse): boolean {
    return this.#isDraining && this.#pendingOn(response.req.socket).at(-1) === response;
  }

  /**
   * Stops accepting, answers what is in flight and closes all connections.
   * @returns false where the time was up and the rest was cut off
   */
  async drain(timeoutMs: number): Promise<boolean> {
    if (!this.server.listening) return true;
    for (let turn = 0; turn < TURNS_TO_ACCEPT; turn += 1) await nextTurn();
    // Not HTTP's own close, which cuts idle connections at once, whatever is on its way to them.
    const closed = new Promise((resolve) => NetServer.prototype.close.call(this.server, resolve));
    // Only from here on: a client that is told to reconnect must not find a port that is about to close.
    this.#isDraining = true;
    const graceEndsAtMs = performance.now() + IDLE_GRACE_MS;
    const sweep = setInterval(() => {
      if (performance.now() >= graceEndsAtMs) this.#closeIdle();
    }, SWEEP_INTERVAL_MS);
    let isComplete = true;
    const cut = setTimeout(() => {
      isComplete = false;
      this.server.closeAllConnections();
    }, timeoutMs);
    await closed;
    clearInterval(sweep);
    clearTimeout(cut);
    // Ends Node's watch over the time limits.
    this.server.close();
    return isComplete;
  }

  #keepTrack(response: ServerResponse): void {
    const pending = this.#pendingOn(response.req.socket);
    pending.push(response);
    response.once("close", () => pending.splice(pending.indexOf(response), 1));
  }

  #pendingOn(socket: Duplex): ServerResponse[] {
    return this.#connections.get(socket)?.pending ?? [];
  }

  /** Node counts a connection that never sent a byte as busy. */
  #closeIdle(): void {
    this.server.closeIdleConnections();
    for (const { socket, pending } of this.#connections.values()) {
      if (socket.bytesRead === 0 && pending.length === 0) socket.destroy();
    }
  }

  /**
   * Answers bytes that are no request. It must not be taken for the answer to another request of the same
   * connection: where one is still due, that one is sent and nothing else.
   */
  #refuseMalformed(code: string | undefined, socket: Duplex): void {
    if (this.#malformed.has(socket)) return;
    this.#malformed.add(socket);
    const pending = this.#pendingOn(socket);
    const last = pending.at(-1);
    const isForgotten = last === undefined && code === "ERR_HTTP_REQUEST_TIMEOUT";
    if (!socket.writable || code === "ECONNRESET" || isForgotten) {
      socket.destroy();
    } else if (last === undefined || (pending.length === 1 && isUnanswered(last))) {
      socket.end(rawRefusal(describeMalformed(code), last?.req.headers["x-request-id"]));
      setTimeout(() => socket.destroy(), PARTING_MS).unref();
    } else {
      last.once("close", () => socket.destroy());
      if (last.headersSent) last.end();
    }
  }
}

/** Whether the request of this response is still to come, so that what is malformed must be its body. */
function isUnanswered({ req, headersSent }: ServerResponse): boolean {
  return !req.complete && !headersSent;
}
