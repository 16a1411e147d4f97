/**
 * One keep-alive HTTP connection on a bare socket. It reads as much of an answer as is needed to know its
 * status and its end, so that the load generator costs little beside the server that it measures.
 */
import { connect, type Socket } from "node:net";

/** Called once an answer is complete. `excerpt` is the begin of its body where the status is no success. */
export type AnswerHandler = (status: number, excerpt: string) => void;

const HEAD_END = "\r\n\r\n";
/** JSON never holds a line end, so a chunk that ends so is the last one. */
const LAST_CHUNK = "0\r\n\r\n";
const EXCERPT_BYTES = 300;

export interface RequestSpec {
  method: string;
  path: string;
  body?: string;
}

/** A request as the bytes that go over the wire. */
export function encodeRequest(request: RequestSpec, apiKey: string): Buffer {
  const { method, path, body } = request;
  const lines = [`${method} ${path} HTTP/1.1`, "Host: 127.0.0.1", `Authorization: Bearer ${apiKey}`];
  if (body !== undefined) {
    lines.push("Content-Type: application/json", `Content-Length: ${Buffer.byteLength(body)}`);
  }
  return Buffer.from(`${lines.join("\r\n")}${HEAD_END}${body ?? ""}`);
}

export class KeepAliveConnection {
  readonly #socket: Socket;
  readonly #onFailure: (error: Error) => void;
  #onAnswer: AnswerHandler | undefined;
  #head: Buffer | undefined;
  #status = 0;
  /** Bytes of the body still to come; -1 when it comes in chunks, undefined before the head is read. */
  #remaining: number | undefined;
  #excerpt = "";
  #tail = "";

  /** `onFailure` hears of a connection that broke while an answer was awaited. */
  constructor(port: number, onFailure: (error: Error) => void) {
    this.#onFailure = onFailure;
    this.#socket = connect({ port, host: "127.0.0.1", noDelay: true });
    this.#socket.on("data", (chunk: Buffer) => this.#read(chunk));
    this.#socket.on("error", (error) => this.#fail(error));
    this.#socket.on("close", () => this.#fail(new Error("the server closed the connection")));
  }

  /** Sends one request; the next one may be sent from within `onAnswer`. */
  send(request: Buffer, onAnswer: AnswerHandler): void {
    this.#onAnswer = onAnswer;
    this.#socket.write(request);
  }

  close(): void {
    this.#onAnswer = undefined;
    this.#socket.destroy();
  }

  #fail(error: Error): void {
    if (this.#onAnswer === undefined) return;
    this.#onAnswer = undefined;
    this.#onFailure(error);
  }

  #read(chunk: Buffer): void {
    if (this.#remaining === undefined) this.#readHead(chunk);
    else this.#readBody(chunk);
  }

  #readHead(chunk: Buffer): void {
    const bytes = this.#head === undefined ? chunk : Buffer.concat([this.#head, chunk]);
    const end = bytes.indexOf(HEAD_END);
    if (end < 0) {
      this.#head = bytes;
      return;
    }
    this.#head = undefined;
    const head = bytes.toString("latin1", 0, end);
    const bodyStart = end + HEAD_END.length;
    this.#status = Number(head.slice(9, 12));
    this.#remaining = bodyLength(head, this.#status);
    this.#excerpt = this.#status < 300 ? "" : bytes.toString("utf8", bodyStart, bodyStart + EXCERPT_BYTES);
    this.#readBody(bytes.subarray(bodyStart));
  }

  #readBody(chunk: Buffer): void {
    if (this.#remaining === -1) {
      this.#tail = (
        this.#tail + chunk.toString("latin1", Math.max(0, chunk.length - LAST_CHUNK.length))
      ).slice(-LAST_CHUNK.length);
      if (this.#tail !== LAST_CHUNK) return;
      this.#tail = "";
    } else {
      this.#remaining = (this.#remaining ?? 0) - chunk.length;
      if (this.#remaining > 0) return;
    }
    const onAnswer = this.#onAnswer;
    this.#remaining = undefined;
    this.#onAnswer = undefined;
    onAnswer?.(this.#status, this.#excerpt);
  }
}

function bodyLength(head: string, status: number): number {
  const length = /\r\ncontent-length: *(\d+)/i.exec(head)?.[1];
  if (length !== undefined) return Number(length);
  return status === 204 || status === 304 ? 0 : -1;
}
