import { once } from "node:events";
import { connect, createServer, type Server, type Socket } from "node:net";

/** Stands between a client and a server on 127.0.0.1, and does to their connections what networks do. */
export interface TcpProxy {
  readonly port: number;
  /** Ends all connections and refuses new ones, as a server does that was stopped. */
  cut(): Promise<void>;
  /** Ends all connections and takes new ones at once, as a server that starts anew. */
  drop(): void;
  /** Passes nothing on any more in either direction, as a network that lost its way. New connections are taken. */
  freeze(): void;
  /** Takes connections and passes everything on again; what was held back goes first. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Opens a proxy to a port of 127.0.0.1. */
export async function openTcpProxy(targetPort: number): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let isFrozen = false;

  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.on("close", () => sockets.delete(socket));
    if (isFrozen) socket.pause();
  };
  const join = (client: Socket) => {
    const server = connect(targetPort, "127.0.0.1");
    for (const [from, to] of [
      [client, server],
      [server, client],
    ] as const) {
      keep(from);
      from.on("data", (bytes) => to.write(bytes));
      from.on("close", () => to.destroy());
      if (isFrozen) from.pause();
    }
  };
  const drop = () => {
    for (const socket of sockets) socket.destroy();
  };

  let listener = await listen(0, join);
  const address = listener.address();
  if (address === null || typeof address === "string") throw new Error("The proxy has no TCP port.");
  const { port } = address;

  const cut = async () => {
    drop();
    if (!listener.listening) return;
    const closed = once(listener, "close");
    listener.close();
    drop();
    await closed;
  };
  return {
    port,
    cut,
    drop,
    freeze: () => {
      isFrozen = true;
      for (const socket of sockets) socket.pause();
    },
    restore: async () => {
      isFrozen = false;
      for (const socket of sockets) socket.resume();
      if (!listener.listening) listener = await listen(port, join);
    },
    close: cut,
  };
}

async function listen(port: number, onConnection: (client: Socket) => void): Promise<Server> {
  const server = createServer(onConnection).listen(port, "127.0.0.1");
  await once(server, "listening");
  return server;
}
