import { createSocket } from "node:dgram";
import { once } from "node:events";
import { parseAddress } from "../../../../../lib/outbound/ip-address.ts";

/** What a name has of one family: addresses, nothing of this kind, no such name, or no word ever. */
export type DnsAnswer = readonly string[] | "none" | "unknown" | "silent";

export interface DnsServer {
  /** As `address:port`. */
  readonly server: string;
  /** What was asked so far, as in "A a.example". */
  readonly questions: string[];
  stop(): Promise<void>;
}

const families = { 1: "A", 28: "AAAA" } as const;
const bytesOf = { A: 4, AAAA: 16 } as const;

/** Starts a DNS server on UDP that knows names by "A name" and "AAAA name", and no others. Stop it when done. */
export async function startDnsServer(answers: Readonly<Record<string, DnsAnswer>>): Promise<DnsServer> {
  const questions: string[] = [];
  const socket = createSocket("udp4", (query, { port, address }) => {
    const { name, type, end } = readQuestion(query);
    const family = type === 1 || type === 28 ? families[type] : undefined;
    if (!family) return;
    questions.push(`${family} ${name}`);
    const answer = answers[`${family} ${name}`] ?? "unknown";
    if (answer !== "silent") socket.send(reply(query.subarray(0, end), type, family, answer), port, address);
  });
  socket.bind(0, "127.0.0.1");
  await once(socket, "listening");
  return {
    server: `127.0.0.1:${socket.address().port}`,
    questions,
    stop: async () => {
      const closed = once(socket, "close");
      socket.close();
      await closed;
    },
  };
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join(".").toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function reply(
  question: Buffer,
  type: number,
  family: "A" | "AAAA",
  answer: readonly string[] | string,
): Buffer {
  const head = Buffer.from(question);
  const addresses = typeof answer === "string" ? [] : answer;
  head.writeUInt16BE(answer === "unknown" ? 0x8183 : 0x8180, 2);
  head.writeUInt16BE(addresses.length, 6);
  head.writeUInt32BE(0, 8);
  return Buffer.concat([head, ...addresses.map((address) => record(type, bytesOf[family], address))]);
}

function record(type: number, bytes: number, text: string): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc00c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(bytes, 10);
  const value = parseAddress(text)?.value ?? 0n;
  return Buffer.concat([head, Buffer.from(value.toString(16).padStart(bytes * 2, "0"), "hex")]);
}
