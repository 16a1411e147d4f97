/** The measured part: each scenario in several short rounds over all servers and sizes. */
import type { LoadResult } from "./load.ts";
import type { LoadClient } from "./load-client.ts";
import type { Options } from "./options.ts";
import { progress } from "./progress.ts";
import type { Scenario } from "./scenarios.ts";
import { API_KEY } from "./servers.ts";
import { median } from "./statistics.ts";
import { kindFor, type Side, type Subject, withSubject } from "./subjects.ts";

/** One server at one size in one scenario: a result for each round. */
export interface Series {
  scenario: Scenario;
  side: Side;
  size: number;
  rounds: SliceResult[];
}

export interface SliceResult extends LoadResult {
  /** Processor time of the server; what other programs do on the machine hardly touches it. */
  cpuMsPerRequest: number;
}

/** The first slice of a row also compiles the code that it runs; later ones only fill their connections. */
const FIRST_WARMUP_MS = 2_000;
const WARMUP_MS = 300;

/** Runs all rounds of one scenario. The order turns round each time, so that none is always first. */
export async function measureScenario(
  scenario: Scenario,
  subjects: readonly Subject[],
  load: LoadClient,
  options: Options,
): Promise<Series[]> {
  const taking = subjects.filter(({ side, kind }) => kind === kindFor(side, scenario, options.selfTest));
  const series = taking.map(({ side, size }): Series => ({ scenario, side, size, rounds: [] }));
  const order = taking.map((subject, i) => ({ subject, rounds: series[i]?.rounds }));
  const durationMs = options.seconds * 1000;
  for (let round = 1; round <= options.rounds; round++) {
    const warmupMs = round === 1 ? FIRST_WARMUP_MS : WARMUP_MS;
    for (const { subject, rounds } of order) {
      progress(
        `${scenario.name}: round ${round} of ${options.rounds}, ${subject.side} at ${subject.size} records`,
      );
      rounds?.push(
        await withSubject(subject, () => measureSlice(scenario, subject, load, { durationMs, warmupMs })),
      );
    }
    order.reverse();
  }
  return series;
}

/** Throughput of one series over that of another, round by round, so that both saw the same moment. */
export function throughputRatio(of: Series, over: Series): number {
  return ratio(of, over, ({ requestsPerSecond }) => requestsPerSecond);
}

/** The same by the requests that a second of processor time is good for: steadier on a shared machine. */
export function cpuRatio(of: Series, over: Series): number {
  return ratio(of, over, ({ cpuMsPerRequest }) => 1 / cpuMsPerRequest);
}

function ratio(of: Series, over: Series, figure: (result: SliceResult) => number): number {
  const pairs = of.rounds.flatMap((result, round) => {
    const other = over.rounds[round];
    return other === undefined ? [] : [figure(result) / figure(other)];
  });
  return median(pairs);
}

async function measureSlice(
  scenario: Scenario,
  subject: Subject,
  load: LoadClient,
  times: { durationMs: number; warmupMs: number },
): Promise<SliceResult> {
  const { server, store } = subject;
  const cpuBeforeMs = server.child.cpuMs();
  const result = await load.measure({
    kind: "load",
    scenario: scenario.name,
    port: server.port,
    apiKey: API_KEY,
    idsPath: store.idsPath,
    ...times,
  });
  return { ...result, cpuMsPerRequest: (server.child.cpuMs() - cpuBeforeMs) / result.allRequests };
}
