/**
 * The load generator: a process of its own on the second core. It takes one job at a time from the
 * benchmark, and ends when the benchmark does.
 */
import { readFileSync } from "node:fs";
import { type BlockJob, type BlockResult, probeBlocking } from "./block.ts";
import { encodeRequest, KeepAliveConnection } from "./connection.ts";
import { scenarioNamed } from "./scenarios.ts";

export interface LoadJob {
  kind: "load";
  scenario: string;
  port: number;
  apiKey: string;
  /** File with the ids of some records of the store, one a line. */
  idsPath: string;
  warmupMs: number;
  durationMs: number;
}

export interface LoadResult {
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  requests: number;
  /** With those of the warm-up. */
  allRequests: number;
  /** Processor time of this process over the time measured; near 1 the generator is the bottleneck. */
  cpuShare: number;
  errors: number;
  /** What the first wrong answer said. */
  firstError?: string;
}

export type Job = LoadJob | BlockJob;
export type Reply = { result: LoadResult | BlockResult } | { failure: string };

/** Warm-up of a slice whose number of requests is limited, as a share of that number. */
const WARMUP_SHARE = 0.25;

const preparedRequests = new Map<string, { requests: Buffer[]; next: number }>();

process.on("disconnect", () => process.exit(0));
process.on("message", async (job: Job) => {
  process.send?.(await perform(job));
});

async function perform(job: Job): Promise<Reply> {
  try {
    return { result: job.kind === "load" ? await runSlice(job) : await probeBlocking(job) };
  } catch (error) {
    return { failure: error instanceof Error ? error.message : String(error) };
  }
}

/** Warms up, then measures one slice. Rejects when the server closes a connection. */
async function runSlice(job: LoadJob): Promise<LoadResult> {
  const { connections: count, mostRequests, expected } = scenarioNamed(job.scenario);
  const source = requestsOf(job);
  const failed = Promise.withResolvers<never>();
  const connections = Array.from({ length: count }, () => new KeepAliveConnection(job.port, failed.reject));
  const drive = (durationMs: number, most: number) =>
    Promise.race([
      driveUntil(connections, source, { durationMs, most, status: expected.status }),
      failed.promise,
    ]);
  try {
    const warmup = await drive(job.warmupMs, mostRequests * WARMUP_SHARE);
    const measured = await drive(job.durationMs, mostRequests);
    return { ...measured, allRequests: warmup.requests + measured.requests };
  } finally {
    for (const connection of connections) connection.close();
  }
}

interface Drive {
  durationMs: number;
  most: number;
  /** The status that every answer must have. */
  status: number;
}

/** Every connection sends as soon as it was answered, until time or requests run out and all is answered. */
function driveUntil(
  connections: readonly KeepAliveConnection[],
  source: { requests: Buffer[]; next: number },
  { durationMs, most, status: expectedStatus }: Drive,
): Promise<LoadResult> {
  const { promise, resolve } = Promise.withResolvers<LoadResult>();
  const latenciesMs: number[] = [];
  const wrong: string[] = [];
  const cpuAtStart = process.cpuUsage();
  const startMs = performance.now();
  const endMs = startMs + durationMs;
  let sent = 0;
  let busy = connections.length;

  const step = (connection: KeepAliveConnection, nowMs: number): void => {
    const request = source.requests[source.next++ % source.requests.length];
    if (nowMs >= endMs || sent >= most || request === undefined) {
      if (--busy === 0) resolve(summarize(latenciesMs, wrong, nowMs - startMs, process.cpuUsage(cpuAtStart)));
      return;
    }
    sent++;
    connection.send(request, (status, excerpt) => {
      const answeredMs = performance.now();
      latenciesMs.push(answeredMs - nowMs);
      if (status !== expectedStatus) wrong.push(wrong.length === 0 ? `${status} ${excerpt}` : "");
      step(connection, answeredMs);
    });
  };
  for (const connection of connections) step(connection, performance.now());
  return promise;
}

function summarize(
  latenciesMs: number[],
  wrong: readonly string[],
  elapsedMs: number,
  cpu: NodeJS.CpuUsage,
): LoadResult {
  const sorted = Float64Array.from(latenciesMs).sort();
  const quantile = (share: number) =>
    sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    requestsPerSecond: (sorted.length * 1000) / elapsedMs,
    p50Ms: quantile(0.5),
    p99Ms: quantile(0.99),
    requests: sorted.length,
    allRequests: sorted.length,
    cpuShare: (cpu.user + cpu.system) / 1000 / elapsedMs,
    errors: wrong.length,
    firstError: wrong[0],
  };
}

/** The bytes of a scenario's requests, made once; each slice goes on where the last one ended. */
function requestsOf(job: LoadJob): { requests: Buffer[]; next: number } {
  const key = `${job.scenario} ${job.idsPath}`;
  const known = preparedRequests.get(key);
  if (known !== undefined) return known;
  const ids = readFileSync(job.idsPath, "utf8").trim().split("\n");
  const requests = scenarioNamed(job.scenario)
    .requests(ids)
    .map((request) => encodeRequest(request, job.apiKey));
  const made = { requests, next: 0 };
  preparedRequests.set(key, made);
  return made;
}
