/** The command line of the benchmark. */
import { parseArgs } from "node:util";
import { scenarioNamed, scenarios } from "./scenarios.ts";

export interface Options {
  sizes: number[];
  /** Length of a measured slice; its warm-up comes on top. */
  seconds: number;
  rounds: number;
  /** Names of the scenarios to run. */
  only: string[];
  /** Only how long single requests hold the process. */
  block: boolean;
  /** The floor in place of the service: every ratio must come out near 1. */
  selfTest: boolean;
  /** End non-zero when a row falls short of its line. */
  strict: boolean;
}

export const USAGE = `npm run bench -- [flags]
  --sizes 10000,1000000  records in the stores
  --seconds 2            length of a measured slice
  --rounds 5             slices for each row, server and size
  --only get,list        only these rows: ${scenarios.map(({ name }) => name).join(", ")}
  --quick                10,000 records, 1 second, 1 round (flags beside it win)
  --block                only the longest time that single requests hold the process
  --self-test            the floor against itself
  --strict               end non-zero when a row falls short of its line`;

const DEFAULTS = { sizes: "10000,1000000", seconds: "2", rounds: "5" };
const QUICK = { sizes: "10000", seconds: "1", rounds: "1" };
const BLOCK_SIZES = "1000000";

/** Reads the flags. Throws, with a sentence for the user, where one is wrong. */
export function readOptions(args: string[]): Options {
  const { values } = parseArgs({
    args,
    options: {
      sizes: { type: "string" },
      seconds: { type: "string" },
      rounds: { type: "string" },
      only: { type: "string" },
      quick: { type: "boolean", default: false },
      block: { type: "boolean", default: false },
      "self-test": { type: "boolean", default: false },
      strict: { type: "boolean", default: false },
    },
  });
  const defaults = values.quick ? QUICK : DEFAULTS;
  const sizes = values.sizes ?? (values.block && !values.quick ? BLOCK_SIZES : defaults.sizes);
  const names = values.only?.split(",") ?? scenarios.map(({ name }) => name);
  return {
    sizes: sizes
      .split(",")
      .map((size) => positive("--sizes", size))
      .sort((a, b) => a - b),
    seconds: positive("--seconds", values.seconds ?? defaults.seconds),
    rounds: positive("--rounds", values.rounds ?? defaults.rounds),
    only: names.map((name) => scenarioNamed(name).name),
    block: values.block,
    selfTest: values["self-test"],
    strict: values.strict,
  };
}

function positive(flag: string, text: string): number {
  const number = Number(text);
  if (!(number > 0)) throw new Error(`${flag} takes numbers above 0, not "${text}"`);
  return number;
}
