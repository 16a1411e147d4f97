/** The benchmark's side of the load generator: starts it, hands it one job at a time. */
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { BlockJob, BlockResult } from "./block.ts";
import type { Job, LoadJob, LoadResult, Reply } from "./load.ts";
import { Child, LOAD_CORE } from "./processes.ts";

const LOAD_PATH = fileURLToPath(new URL("load.ts", import.meta.url));

export class LoadClient {
  readonly #child: Child;

  constructor(logPath: string) {
    this.#child = new Child({
      command: process.execPath,
      args: [LOAD_PATH],
      logPath,
      core: LOAD_CORE,
      messages: true,
    });
  }

  /** Rejects when the job could not be done, wrong answers included. */
  async measure(job: LoadJob): Promise<LoadResult> {
    const result = (await this.#run(job)) as LoadResult;
    if (result.errors > 0) {
      throw new Error(`${job.scenario}: ${result.errors} wrong answers, the first: ${result.firstError}`);
    }
    return result;
  }

  async probe(job: BlockJob): Promise<BlockResult> {
    return (await this.#run(job)) as BlockResult;
  }

  end(): Promise<void> {
    return this.#child.end();
  }

  async #run(job: Job): Promise<LoadResult | BlockResult> {
    const over = new AbortController();
    try {
      const answered = once(this.#child.process, "message", { signal: over.signal });
      const ended = once(this.#child.process, "exit", { signal: over.signal }).then(() => {
        throw new Error("the load generator ended before its time");
      });
      this.#child.process.send(job);
      const [reply] = (await Promise.race([answered, ended])) as [Reply];
      if ("failure" in reply) throw new Error(reply.failure);
      return reply.result;
    } finally {
      over.abort();
    }
  }
}
