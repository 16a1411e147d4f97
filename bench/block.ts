/**
 * How long a single request holds the server's process: while it is under way, another connection asks for
 * /livez over and over, and the longest of its round trips is what everybody else had to wait.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { encodeRequest, KeepAliveConnection, type RequestSpec } from "./connection.ts";
import { type HeavyRequest, heavyRequests } from "./heavy.ts";
import { median } from "./statistics.ts";

export interface BlockJob {
  kind: "block";
  /** Name of the heavy request; without one the round trips of an idle server are measured. */
  heavy?: string;
  port: number;
  apiKey: string;
  repetitions: number;
}

export interface BlockResult {
  /** Longest /livez round trip of each repetition. */
  longestMs: number[];
  /** Time of the heavy request itself, median of the repetitions. */
  requestMs: number;
}

/** Round trips go on this long before and after the request, so that none of its work is missed. */
const MARGIN_MS = 50;
const IDLE_MS = 500;
const PAUSE_MS = 300;

/** Runs one heavy request several times. Rejects for an answer with another status than it should have. */
export async function probeBlocking(job: BlockJob): Promise<BlockResult> {
  const heavy = heavyRequests.find(({ name }) => name === job.heavy);
  if (job.heavy !== undefined && heavy === undefined) throw new Error(`no heavy request "${job.heavy}"`);
  const longestMs: number[] = [];
  const requestMs: number[] = [];
  for (let turn = 0; turn < job.repetitions; turn++) {
    const spec = await heavy?.prepare((request) => sendOnce(job, request), turn);
    const request = spec && encodeRequest(spec, job.apiKey);
    await sleep(PAUSE_MS); // what the preparation set off in the background should be over
    const gapMs = await watchLiveness(job, async () => {
      requestMs.push(heavy && request ? await sendHeavy(job, heavy, request) : await idle());
    });
    longestMs.push(gapMs);
  }
  return { longestMs, requestMs: median(requestMs) };
}

/** The longest /livez round trip, in milliseconds, from before `work` until the server is free again. */
async function watchLiveness(job: BlockJob, work: () => Promise<void>): Promise<number> {
  const failed = Promise.withResolvers<never>();
  const lastAnswered = Promise.withResolvers<void>();
  const connection = new KeepAliveConnection(job.port, failed.reject);
  const request = encodeRequest({ method: "GET", path: "/livez" }, job.apiKey);
  const longest = { ms: 0 };
  let phase: "warm-up" | "measured" | "ending" = "warm-up";
  const ask = () => {
    const sentMs = performance.now();
    connection.send(request, (status) => {
      if (phase !== "warm-up") longest.ms = Math.max(longest.ms, performance.now() - sentMs);
      if (status !== 200) failed.reject(new Error(`/livez was answered ${status}`));
      else if (phase === "ending") lastAnswered.resolve();
      else ask();
    });
  };
  const steps = async () => {
    await sleep(MARGIN_MS);
    phase = "measured";
    await work();
    await sleep(MARGIN_MS);
    phase = "ending";
    await lastAnswered.promise;
  };
  ask();
  try {
    await Promise.race([steps(), failed.promise]);
  } finally {
    connection.close();
  }
  return longest.ms;
}

async function sendHeavy(job: BlockJob, heavy: HeavyRequest, request: Buffer): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  const connection = new KeepAliveConnection(job.port, reject);
  const startMs = performance.now();
  connection.send(request, (status, excerpt) => {
    if (status === heavy.status) resolve(performance.now() - startMs);
    else reject(new Error(`${heavy.name} was answered ${status} ${excerpt}`));
  });
  return promise.finally(() => connection.close());
}

async function idle(): Promise<number> {
  await sleep(IDLE_MS);
  return IDLE_MS;
}

async function sendOnce(job: BlockJob, { method, path, body }: RequestSpec): Promise<{ data: unknown }> {
  const headers = { authorization: `Bearer ${job.apiKey}`, "content-type": "application/json" };
  const answer = await fetch(`http://127.0.0.1:${job.port}${path}`, { method, headers, body });
  if (!answer.ok) throw new Error(`${method} ${path} was answered ${answer.status} ${await answer.text()}`);
  return (await answer.json()) as { data: unknown };
}
