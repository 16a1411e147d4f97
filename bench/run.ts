/** `npm run bench`: the service beside its floor, in one run. README.md says what the figures mean. */
import { join } from "node:path";
import { checkAnswer, checkTotals } from "./answers.ts";
import { heavyRequests } from "./heavy.ts";
import { LoadClient } from "./load-client.ts";
import { type Options, readOptions, USAGE } from "./options.ts";
import { endAll, endForGood } from "./processes.ts";
import { elapsedSeconds, note, progress } from "./progress.ts";
import * as report from "./report.ts";
import { measureScenario, type Series } from "./rounds.ts";
import { scenarioNamed } from "./scenarios.ts";
import { API_KEY } from "./servers.ts";
import { startTimeMs } from "./startup.ts";
import { Stores } from "./stores.ts";
import { type Subject, startSubjects, withSubject } from "./subjects.ts";

interface Run {
  options: Options;
  stores: Stores;
  load: LoadClient;
}

const STARTS = 5;
const BLOCK_REPETITIONS = 5;
const INTERRUPTED = 130;

/** After Ctrl-C what the children's ends set off is no news. */
let interrupted = false;

/** All rows, memory and start times. Returns what did and what did not hold its line. */
async function compare(run: Run): Promise<report.Verdict[]> {
  const { options, stores, load } = run;
  const chosen = options.only.map(scenarioNamed);
  const subjects = await startSubjects(options, chosen, ["service", "floor"], stores);
  await checkTotals(subjects);
  const all: Series[] = [];
  for (const scenario of chosen) {
    for (const subject of subjects) await checkAnswer(scenario, subject, options.selfTest);
    all.push(...(await measureScenario(scenario, subjects, load, options)));
  }
  const throughput = report.throughputTable(all, options.selfTest);
  const memory = subjects.map(({ kind, side, size, idleMiB, server }) => {
    return { name: `${side} (${kind}), ${size} records`, idleMiB, afterMiB: server.child.residentMiB() };
  });
  print(report.conditions(options), throughput.text, report.memoryTable(memory));
  for (const warning of report.generatorWarnings(all)) note(`warning: ${warning}`);
  await endAll();
  print(report.startTable(await startTimes(run, subjects)));
  return throughput.verdicts;
}

async function startTimes(
  { stores, options }: Run,
  subjects: readonly Subject[],
): Promise<report.StartRow[]> {
  const [first] = subjects.filter(({ side }) => side === "service");
  if (first === undefined) return [];
  const fresh = () => stores.emptyDataDir();
  progress("start times");
  const rows = [{ name: "first start, empty folder", ms: await startTimeMs(first.kind, fresh, STARTS) }];
  if (!options.selfTest) {
    const ms = await startTimeMs(first.kind, fresh, STARTS, { throughNpm: true });
    rows.push({ name: "first start, empty folder, with npm's own time", ms });
  }
  for (const { side, kind, size, store } of subjects) {
    if (side !== "service") continue;
    const ms = await startTimeMs(kind, () => store.dataDir, STARTS);
    rows.push({ name: `start with ${size} records (${kind})`, ms });
  }
  return rows;
}

/** How long single requests hold the process. */
async function probeBlocks({ options, stores, load }: Run): Promise<report.Verdict[]> {
  const chosen = [scenarioNamed("search")];
  const subjects = await startSubjects(options, chosen, ["service"], stores);
  const rows: report.BlockRow[] = [];
  for (const subject of subjects) {
    const { size, server } = subject;
    const job = {
      kind: "block",
      port: server.port,
      apiKey: API_KEY,
      repetitions: BLOCK_REPETITIONS,
    } as const;
    const probe = (heavy?: string) => withSubject(subject, () => load.probe({ ...job, heavy }));
    progress(`block: nothing, ${size} records`);
    rows.push({ title: "nothing else", size, result: await probe() });
    for (const { name, title, onFloor } of heavyRequests) {
      if (options.selfTest && !onFloor) continue;
      progress(`block: ${title}, ${size} records`);
      rows.push({ title, size, result: await probe(name) });
    }
  }
  const { text, verdicts } = report.blockTable(rows);
  print(report.conditions(options), text);
  return options.selfTest ? [] : verdicts;
}

function print(...parts: string[]): void {
  process.stdout.write(`${parts.join("\n\n")}\n\n`);
}

/** Says what fell short; returns the exit code. */
function judge(verdicts: readonly report.Verdict[], strict: boolean): number {
  const short = verdicts.filter(({ holds }) => !holds);
  for (const { text } of short) note(`short of its line: ${text}`);
  note(`done: ${verdicts.length - short.length} of ${verdicts.length} lines hold`);
  return strict && short.length > 0 ? 1 : 0;
}

async function main(options: Options): Promise<number> {
  const stores = new Stores();
  const cleanUp = async () => {
    await endForGood();
    stores.removeRunDir();
  };
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) {
    process.once(signal, () => {
      interrupted = true;
      void cleanUp().finally(() => process.exit(INTERRUPTED));
    });
  }
  try {
    const load = new LoadClient(join(stores.runDir, "load.log"));
    const run = { options, stores, load };
    const verdicts = await (options.block ? probeBlocks(run) : compare(run));
    return judge(verdicts, options.strict || options.selfTest);
  } finally {
    await cleanUp();
    note(`took ${elapsedSeconds().toFixed(0)} s`);
  }
}

function optionsOrUsage(): Options | undefined {
  try {
    return readOptions(process.argv.slice(2));
  } catch (error) {
    process.stderr.write(`${messageOf(error)}\n${USAGE}\n`);
    return undefined;
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

const options = optionsOrUsage();
process.exitCode =
  options === undefined
    ? 2
    : await main(options).catch((error) => {
        if (!interrupted) note(messageOf(error));
        return 1;
      });
