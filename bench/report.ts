/** What the benchmark prints: Markdown, to be pasted into a document. */
import { availableParallelism, cpus } from "node:os";
import type { BlockResult } from "./block.ts";
import type { Options } from "./options.ts";
import { canPin } from "./processes.ts";
import { cpuRatio, type Series, throughputRatio } from "./rounds.ts";
import { median } from "./statistics.ts";

export interface BlockRow {
  title: string;
  size: number;
  result: BlockResult;
}

export interface MemoryRow {
  name: string;
  idleMiB: number | undefined;
  afterMiB: number | undefined;
}

export interface StartRow {
  name: string;
  ms: number;
}

export interface Verdict {
  text: string;
  holds: boolean;
}

interface Comparison {
  service: Series;
  floor: Series;
  ratio: number;
  cpuRatio: number;
  /** Time a request over that at the smallest size; none for the smallest itself. */
  growth: number | undefined;
}

const GENERATOR_BUSY_SHARE = 0.9;
/** How far from 1 a ratio of the floor to itself may be on a machine that others use too. */
const SELF_TEST_TOLERANCE = 0.3;
const SELF_TEST_CPU_TOLERANCE = 0.15;
/** The longest that one request may hold the process. */
const BLOCK_LINE_MS = 50;

/** The machine and the way of measuring, without which no figure means anything. */
export function conditions({ seconds, rounds, block }: Options): string {
  const pinning = canPin ? "server and load generator pinned to a core each" : "not pinned";
  const model = cpus()[0]?.model.trim() ?? "unknown processor";
  return (
    `${availableParallelism()} cores of ${model}, Node ${process.version}, ${pinning}` +
    (block ? "." : `; median of ${rounds} round(s) of ${seconds} s.`)
  );
}

/** The table of throughput and ratios; `verdicts` says which rows hold their lines. */
export function throughputTable(
  all: readonly Series[],
  selfTest: boolean,
): { text: string; verdicts: Verdict[] } {
  const comparisons = all.filter(({ side }) => side === "service").map((service) => compare(service, all));
  const server = (name: string) => [`${name} req/s`, "p50 ms", "p99 ms", "CPU ms"];
  const ratios = ["Service / floor", "by CPU", "Time / smallest", "Line"];
  const header = ["Work", "Records", ...server("Service"), ...server("Floor"), ...ratios];
  return {
    text: table(header, comparisons.map(cellsOf)),
    verdicts: comparisons.flatMap((comparison) => (selfTest ? judgeSelf(comparison) : judge(comparison))),
  };
}

/** Names the rows in which the load generator may have been what limited the throughput. */
export function generatorWarnings(all: readonly Series[]): string[] {
  return all
    .filter(({ rounds }) => median(rounds.map(({ cpuShare }) => cpuShare)) > GENERATOR_BUSY_SHARE)
    .map(
      ({ scenario, side, size }) => `${scenario.name}, ${side}, ${count(size)}: load generator at its limit`,
    );
}

export function memoryTable(rows: readonly MemoryRow[]): string {
  const cells = rows.map(({ name, idleMiB, afterMiB }) => [name, mebibytes(idleMiB), mebibytes(afterMiB)]);
  return table(["Memory (resident set)", "Idle after start", "After the run"], cells);
}

export function startTable(rows: readonly StartRow[]): string {
  return table(
    ["Start to first answer, this machine", "Median ms"],
    rows.map(({ name, ms }) => [name, ms.toFixed(0)]),
  );
}

/** Waits beside each heavy request. Judged is the median: one repetition may meet another program's work. */
export function blockTable(rows: readonly BlockRow[]): { text: string; verdicts: Verdict[] } {
  const header = [
    "While the server does",
    "Records",
    "Request ms",
    "Longest wait ms, least",
    "median",
    "worst",
  ];
  const cells = rows.map(({ title, size, result: { requestMs, longestMs } }) => {
    const waitsMs = [Math.min(...longestMs), median(longestMs), Math.max(...longestMs)];
    return [title, count(size), requestMs.toFixed(0), ...waitsMs.map((ms) => ms.toFixed(1))];
  });
  const verdicts = rows.map(({ title, size, result }) => {
    const waitMs = median(result.longestMs);
    const text = `${title}, ${count(size)} records: ${waitMs.toFixed(1)} ms, line ${BLOCK_LINE_MS} ms`;
    return { text, holds: waitMs <= BLOCK_LINE_MS };
  });
  return { text: table(header, cells), verdicts };
}

function compare(service: Series, all: readonly Series[]): Comparison {
  const same = all.filter(({ scenario }) => scenario === service.scenario);
  const floor = same.find(({ side, size }) => side === "floor" && size === service.size) ?? service;
  const smallest = same.find(({ side }) => side === "service") ?? service;
  return {
    service,
    floor,
    ratio: throughputRatio(service, floor),
    cpuRatio: cpuRatio(service, floor),
    growth: smallest === service ? undefined : throughputRatio(smallest, service),
  };
}

function cellsOf({ service, floor, ratio, cpuRatio, growth }: Comparison): string[] {
  const { title, line } = service.scenario;
  const lines = growth === undefined ? `≥ ${line.ratio}` : `≥ ${line.ratio}, ≤ ${line.growth}`;
  const ratios = [ratio.toFixed(2), cpuRatio.toFixed(2), growth?.toFixed(2) ?? "", lines];
  return [title, count(service.size), ...figures(service), ...figures(floor), ...ratios];
}

function judge({ service: { scenario, size }, ratio, growth = 0 }: Comparison): Verdict[] {
  const name = `${scenario.name}, ${count(size)} records`;
  const { line } = scenario;
  return [
    { text: `${name}: ${ratio.toFixed(2)} of the floor, line ${line.ratio}`, holds: ratio >= line.ratio },
    {
      text: `${name}: ${growth.toFixed(2)} times the smallest, line ${line.growth}`,
      holds: growth <= line.growth,
    },
  ];
}

/** In the self-test both sides are the floor, so every ratio but 1 is an error of the measuring. */
function judgeSelf({ service: { scenario, size }, ratio, cpuRatio }: Comparison): Verdict[] {
  const text = `${scenario.name}, ${count(size)} records: ${ratio.toFixed(2)}, by CPU ${cpuRatio.toFixed(2)}`;
  return [{ text, holds: near(ratio, SELF_TEST_TOLERANCE) && near(cpuRatio, SELF_TEST_CPU_TOLERANCE) }];
}

function near(ratio: number, tolerance: number): boolean {
  return ratio <= 1 + tolerance && ratio >= 1 / (1 + tolerance);
}

function figures({ rounds }: Series): string[] {
  return [
    count(Math.round(median(rounds.map(({ requestsPerSecond }) => requestsPerSecond)))),
    median(rounds.map(({ p50Ms }) => p50Ms)).toFixed(2),
    median(rounds.map(({ p99Ms }) => p99Ms)).toFixed(2),
    median(rounds.map(({ cpuMsPerRequest }) => cpuMsPerRequest)).toFixed(3),
  ];
}

function table(header: string[], rows: readonly string[][]): string {
  const rule = header.map((_, column) => (column === 0 ? "---" : "--:"));
  return [header, rule, ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");
}

function count(number: number): string {
  return number.toLocaleString("en-US");
}

function mebibytes(amount: number | undefined): string {
  return amount === undefined ? "unknown" : `${amount.toFixed(0)} MiB`;
}
