import { inspect } from "node:util";
import { Loggers, type LogLevels } from "moleculer";

const levels: readonly LogLevels[] = ["fatal", "error", "warn", "info", "debug", "trace"];
const INFO = levels.indexOf("info");
const WARN = levels.indexOf("warn");

/** What the framework says of each service, and nobody needs to know as long as it is so. */
const routine = /^Service '.+' (?:started|stopped)\.$|^API Gateway (?:server created|stopped)/;

/** Where a line goes; by default to standard output, from warnings up to standard error. */
export type WriteLine = (line: string, isWarning: boolean) => void;

/**
 * The log of the program: one line an entry, readable as it is, without colours. What the framework has to
 * tell about itself shows only where more than `info` is asked for; its warnings show always.
 */
export class ProgramLogger extends Loggers.Base<{ level: LogLevels }> {
  readonly #write: WriteLine;

  constructor(level: LogLevels, write: WriteLine = writeToConsole) {
    super({ level });
    this.#write = write;
  }

  override getLogHandler({ mod, svc }: { mod: string; svc?: string }) {
    const threshold = levels.indexOf(this.opts.level);
    const isFramework = svc === undefined || svc.startsWith("$");
    return (level: LogLevels, entries: unknown[]) => {
      const severity = levels.indexOf(level);
      if (severity > threshold) return;
      const isRoutine = isFramework || routine.test(String(entries[0]));
      if (severity === INFO && threshold === INFO && isRoutine) return;
      this.#write(formatLine(level, mod, entries), severity <= WARN);
    };
  }
}

function formatLine(level: string, mod: string, entries: readonly unknown[]): string {
  const text = entries.filter((entry) => entry !== undefined).map(formatEntry);
  return `${new Date().toISOString()} ${level.toUpperCase().padEnd(5)} ${mod}: ${text.join(" ")}`;
}

function formatEntry(entry: unknown): string {
  return typeof entry === "string"
    ? entry
    : inspect(entry, { depth: 4, breakLength: Number.POSITIVE_INFINITY });
}

function writeToConsole(line: string, isWarning: boolean): void {
  (isWarning ? process.stderr : process.stdout).write(`${line}\n`);
}
