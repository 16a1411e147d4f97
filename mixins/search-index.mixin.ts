import type { Service, ServiceSchema } from "moleculer";
import type { Database } from "../db/database.ts";
import { databaseOf } from "./database.middleware.ts";

/** Brings a search index up to date, until the signal ends it, and says how many rows were not. */
export type Reindex = (database: Database, signal: AbortSignal) => Promise<{ readonly mended: number }>;

/**
 * Lets a service keep its search index up to date: at each start, beside the service, but where its
 * metadata has `keepSearchIndex: false`. What it serves is served meanwhile, and found by what the index has so far.
 * @param things what the index is of, as the log calls it
 */
export function searchIndexMixin(things: string, reindex: Reindex): Partial<ServiceSchema> {
  const run = async ({ broker, logger }: Service, signal: AbortSignal) => {
    try {
      const { mended } = await reindex(databaseOf(broker), signal);
      if (mended > 0)
        logger.info(`The search index is up to date again: ${mended} ${things} have other words now.`);
    } catch (error) {
      logger.error("The search index could not be brought up to date; the next start tries again.", error);
    }
  };
  return {
    started() {
      if (this.metadata.keepSearchIndex === false) return;
      this.stopping = new AbortController();
      this.reindexing = run(this, this.stopping.signal);
    },
    async stopped() {
      this.stopping?.abort();
      await this.reindexing;
    },
  };
}
