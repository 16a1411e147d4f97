import { connect, type Socket } from "node:net";
import { waitFor } from "./wait-for.ts";

/** A connection on which a test says exactly what it wants to say. */
export interface RawConnection {
  readonly socket: Socket;
  /** Everything that came so far. */
  readonly received: () => string;
  readonly isClosed: () => boolean;
  /** Resolves with everything received once it has this in it. */
  until(part: string | RegExp): Promise<string>;
  /** Resolves with everything received once the other side has closed. */
  untilClosed(): Promise<string>;
}

/** Opens a connection to a port of this host. Lines of what is written need their own CR and LF. */
export async function openRaw(port: number): Promise<RawConnection> {
  let received = "";
  let isClosed = false;
  const socket = connect(port, "127.0.0.1");
  socket.setEncoding("latin1");
  socket.on("data", (chunk) => {
    received += chunk;
  });
  // A reset is one of the ways in which the other side closes.
  socket.on("error", () => {});
  socket.on("end", () => {
    isClosed = true;
  });
  socket.on("close", () => {
    isClosed = true;
  });
  await new Promise((resolve) => socket.once("connect", resolve));
  const has = (part: string | RegExp) =>
    typeof part === "string" ? received.includes(part) : part.test(received);
  return {
    socket,
    received: () => received,
    isClosed: () => isClosed,
    until: async (part) => {
      await waitFor(() => has(part), { what: `${part} in what came: ${received}`, timeoutMs: 15_000 });
      return received;
    },
    untilClosed: async () => {
      await waitFor(() => isClosed, { what: "the connection to be closed", timeoutMs: 15_000 });
      return received;
    },
  };
}

/** A request as it goes over the wire. */
export function rawRequest(firstLine: string, headers: readonly string[] = [], body = ""): string {
  return [`${firstLine} HTTP/1.1`, "Host: test", ...headers, "", body].join("\r\n");
}

/** Writes once, and gives everything that came back until the other side closed. */
export async function rawExchange(port: number, bytes: string | Uint8Array): Promise<string> {
  const connection = await openRaw(port);
  try {
    connection.socket.write(bytes);
    return await connection.untilClosed();
  } finally {
    connection.socket.destroy();
  }
}
