import { once } from "node:events";
import { createServer, type Socket } from "node:net";

/*
 * A real mail server for tests of what the program sends: it takes every message, or answers as told.
 *
 *   const receiver = await startSmtpReceiver();
 *   … receiver.url() … receiver.messages … receiver.refuse = "550 No such user"; … await receiver.stop();
 */

/** A message as it came. */
export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** Headers and body, with CRLF. */
  readonly content: string;
}

export interface SmtpReceiver {
  readonly messages: ReceivedMail[];
  /** What it says to each recipient in place of yes; several lines are parted by CRLF. */
  refuse: string | undefined;
  /** Whether it takes connections and never says a word. */
  isSilent: boolean;
  /** TCP connections so far. */
  connectionCount(): number;
  /** TCP connections that are open now. */
  openConnectionCount(): number;
  url(): string;
  stop(): Promise<void>;
}

interface Draft {
  from: string;
  to: string[];
  content: string[] | undefined;
}

const newDraft = (): Draft => ({ from: "", to: [], content: undefined });

/** Starts a receiver on a free port of 127.0.0.1. Stop it when done. */
export async function startSmtpReceiver(): Promise<SmtpReceiver> {
  const sockets = new Set<Socket>();
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
    if (receiver.isSilent) socket.resume();
    else converse(socket, receiver);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("The receiver has no TCP port.");
  const receiver: SmtpReceiver = {
    messages: [],
    refuse: undefined,
    isSilent: false,
    connectionCount: () => connections,
    openConnectionCount: () => sockets.size,
    url: () => `smtp://127.0.0.1:${address.port}`,
    stop: async () => {
      const closed = once(server, "close");
      server.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
  return receiver;
}

function converse(socket: Socket, receiver: SmtpReceiver): void {
  let draft = newDraft();
  let pending = "";
  const say = (line: string) => socket.write(`${line}\r\n`);
  const take = (line: string) => {
    if (draft.content === undefined) {
      say(answerTo(line, draft, receiver));
    } else if (line === ".") {
      receiver.messages.push({ ...draft, content: draft.content.join("\r\n") });
      draft = newDraft();
      say("250 Taken");
    } else {
      draft.content.push(line.startsWith(".") ? line.slice(1) : line);
    }
  };
  socket.setEncoding("utf8").on("data", (piece) => {
    const lines = (pending + piece).split("\r\n");
    pending = lines.pop() ?? "";
    for (const line of lines) take(line);
  });
  say("220 receiver.test ESMTP");
}

function answerTo(line: string, draft: Draft, { refuse }: SmtpReceiver): string {
  const [, address = ""] = /<([^>]*)>/.exec(line) ?? [];
  switch (line.slice(0, 4).toUpperCase()) {
    case "EHLO":
      return "250 receiver.test";
    case "MAIL":
      draft.from = address;
      return "250 Go on";
    case "RCPT":
      if (refuse !== undefined) return refuse;
      draft.to.push(address);
      return "250 Go on";
    case "DATA":
      draft.content = [];
      return "354 Go on, and end with a dot";
    case "QUIT":
      return "221 Bye";
    default:
      return "500 What?";
  }
}
