import { stat } from "node:fs/promises";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, test } from "@jest/globals";
import { median } from "../../bench/statistics.ts";
import type { RecordResource } from "../../services/records/record.schema.ts";
import { freshSqliteStorage } from "../support/databases.ts";
import { request, type Target } from "../support/http.ts";
import { residentMiB } from "../support/process-memory.ts";
import { type Random, withChance } from "../support/random.ts";
import { startService } from "../support/service-on.ts";
import { progress, soakLength } from "../support/soak.ts";
import { Workload } from "../support/workload.ts";

const SECONDS = soakLength({ short: 20, normal: 240, long: 1_800 });
const MEASUREMENTS = 20;
/** So many measurements make a phase. The first is for warming up; the last is compared with the second. */
const A_PHASE = 5;
const READERS = 4;

/** V8 lets its young generation grow by big steps for minutes, behind which a leak could hide. */
const SMALL_YOUNG_GENERATION = "--max-semi-space-size=8";
/** Twenty seconds are not enough to be warm. */
const MEMORY_GROWTH = soakLength({ short: 1.6, normal: 1.2, long: 1.2 });
/** Other programs slow this one down: what grows without end exceeds this. */
const LATENCY_GROWTH = 2;
/** SQLite's write-ahead log begins anew when readers let it; should that never happen, it grows with each write. */
const MAX_LOG_BYTES = 128 * 1024 ** 2;
const LATENCY_NOISE_MS = 10;

/** What everybody asks for, and what costs most. */
const readPaths = [
  "/v1/data",
  "/v1/data?type=task&status=active&sort=updated_at&order=desc",
  "/v1/data?sort=name&per_page=100&page=3",
  "/v1/data?q=report+caf",
  "/v1/data?q=n&type=note",
  "/v1/data?q=lanea&sort=updated_at",
];

interface Measurement {
  readonly memoryMiB: number;
  readonly readMs: number;
  readonly writeMs: number;
}

/** Reads until the signal, a record of each list too. Latencies in milliseconds go to the list. */
async function read(
  target: Target,
  random: Random,
  latenciesMs: number[],
  until: AbortSignal,
): Promise<void> {
  while (!until.aborted) {
    const startMs = performance.now();
    const list = await request<RecordResource[]>(target, "GET", random.pick(readPaths));
    latenciesMs.push(performance.now() - startMs);
    expect(list.status).toBe(200);
    const [first] = list.body.data;
    if (!first) continue;
    const one = await request(target, "GET", `/v1/data/${first.id}`);
    expect([200, 404]).toContain(one.status);
  }
}

describe("a mixed load that goes on and on", () => {
  test(
    "neither takes ever more memory nor gets ever slower, and all of it is intact",
    withChance(async (random) => {
      const storage = await freshSqliteStorage();
      const service = await startService(storage, { NODE_OPTIONS: SMALL_YOUNG_GENERATION });
      const workload = await Workload.begin(service, { lanes: 8, random, keepsConnection: true });
      const until = new AbortController();
      const readsMs: number[] = [];
      const load = Promise.all([
        workload.run(service, until.signal),
        ...Array.from({ length: READERS }, () => read(service, random.fork(), readsMs, until.signal)),
      ]);

      const measurements: Measurement[] = [];
      for (let at = 1; at <= MEASUREMENTS; at += 1) {
        const written = workload.latenciesMs.length;
        readsMs.length = 0;
        await Promise.race([sleep((SECONDS * 1000) / MEASUREMENTS), load]);
        const measurement = {
          memoryMiB: await residentMiB(service.child.pid),
          readMs: median(readsMs),
          writeMs: median(workload.latenciesMs.slice(written)),
        };
        measurements.push(measurement);
        progress(`${Math.round((at * SECONDS) / MEASUREMENTS)} s: ${describeMeasurement(measurement)}`);
      }
      until.abort();
      await load;

      const { size } = await stat(path.join(storage.dataDir, "workspace-data.sqlite-wal"));
      expect(size).toBeLessThan(MAX_LOG_BYTES);
      const warm = leastOf(measurements.slice(A_PHASE, 2 * A_PHASE));
      const last = leastOf(measurements.slice(-A_PHASE));
      expect(last.memoryMiB).toBeLessThan(warm.memoryMiB * MEMORY_GROWTH);
      expect(last.readMs).toBeLessThan(warm.readMs * LATENCY_GROWTH + LATENCY_NOISE_MS);
      expect(last.writeMs).toBeLessThan(warm.writeMs * LATENCY_GROWTH + LATENCY_NOISE_MS);
      await workload.expectIntact(service, storage);
      expect(await service.stop()).toBe(0);
      progress(`${workload.acknowledged} writes intact`);
    }),
  );
});

/** Noise can only add, so the least of each figure is closest to the truth. */
function leastOf(measurements: readonly Measurement[]): Measurement {
  const least = (figure: keyof Measurement) => Math.min(...measurements.map((each) => each[figure]));
  return { memoryMiB: least("memoryMiB"), readMs: least("readMs"), writeMs: least("writeMs") };
}

function describeMeasurement({ memoryMiB, readMs, writeMs }: Measurement): string {
  return `${memoryMiB.toFixed(0)} MiB, read ${readMs.toFixed(1)} ms, write ${writeMs.toFixed(1)} ms`;
}
