/** Fills a server with records over HTTP, by bulk-create, and keeps a sample of their ids. */
import { idsIn } from "./heavy.ts";
import { seedRecord } from "./records.ts";
import type { Server } from "./servers.ts";

const BATCH_SIZE = 1_000;
/** Two requests under way keep the server busy while the next records are made. */
const REQUESTS_AT_ONCE = 2;
const MOST_IDS = 50_000;

/** Creates `count` records and returns the ids of up to 50,000 of them, spread evenly. */
export async function seed(
  server: Server,
  count: number,
  onProgress: (done: number) => void,
): Promise<string[]> {
  const ids: string[] = [];
  const step = Math.ceil(count / MOST_IDS);
  let next = 0;
  let done = 0;
  const work = async () => {
    while (next < count) {
      const start = next;
      next = Math.min(count, start + BATCH_SIZE);
      const created = await createBatch(server, start, next, count);
      ids.push(...created.filter((_, i) => (start + i) % step === 0));
      done += created.length;
      onProgress(done);
    }
  };
  await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, work));
  return ids;
}

async function createBatch(server: Server, start: number, end: number, count: number): Promise<string[]> {
  const records = Array.from({ length: end - start }, (_, i) => seedRecord(start + i, count));
  const body = JSON.stringify({ records });
  const answer = await server.ask({ method: "POST", path: "/v1/data/bulk-create", body });
  if (answer.status !== 201) throw new Error(`bulk-create was answered ${answer.status} while seeding`);
  const ids = idsIn((answer.body as { data?: unknown }).data);
  if (ids.length !== records.length)
    throw new Error(`bulk-create made ${ids.length} of ${records.length} records`);
  return ids;
}
