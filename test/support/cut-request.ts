import { connect } from "node:net";

/** When a client leaves the connection on which it sends its request. */
export type Cut =
  | { readonly when: "sending"; readonly afterBytes: number }
  | { readonly when: "waiting"; readonly afterMs: number }
  | { readonly when: "reading"; readonly afterBytes: number };

export interface RawAnswer {
  readonly status: number;
  readonly body: string;
}

const HEAD_END = "\r\n\r\n";

/**
 * Sends a request on a connection of its own, and perhaps leaves in the middle.
 * @param bytes a whole request that asks for the connection to be closed behind the answer
 * @param cut without it the client stays to the end
 * @returns undefined where no whole answer was read: the client left, or the other side did
 */
export function sendPerhapsCut(port: number, bytes: Buffer, cut?: Cut): Promise<RawAnswer | undefined> {
  return new Promise((resolve) => {
    const socket = connect(port, "127.0.0.1");
    const received: Buffer[] = [];
    let timer: NodeJS.Timeout | undefined;
    socket.on("connect", () => {
      if (cut?.when === "sending") socket.write(bytes.subarray(0, cut.afterBytes), () => socket.destroy());
      else socket.write(bytes);
      if (cut?.when === "waiting") timer = setTimeout(() => socket.destroy(), cut.afterMs);
    });
    socket.on("data", (chunk) => {
      received.push(chunk);
      const size = received.reduce((sum, { length }) => sum + length, 0);
      if (cut?.when === "reading" && size >= cut.afterBytes) socket.destroy();
    });
    socket.on("error", () => socket.destroy());
    socket.on("close", () => {
      clearTimeout(timer);
      resolve(cut?.when === "reading" ? undefined : wholeAnswer(Buffer.concat(received).toString()));
    });
  });
}

function wholeAnswer(text: string): RawAnswer | undefined {
  const headEnd = text.indexOf(HEAD_END);
  const length = Number(/^content-length: (\d+)$/im.exec(text)?.[1] ?? Number.NaN);
  const body = text.slice(headEnd + HEAD_END.length);
  if (headEnd === -1 || Buffer.byteLength(body) !== length) return undefined;
  return { status: Number(text.split(" ", 2)[1]), body };
}
