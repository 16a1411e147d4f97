/** Time from starting the process to the first answer with data. */
import { Server, type ServerKind, type StartOptions } from "./servers.ts";
import { median } from "./statistics.ts";

/** Median of several starts, in milliseconds. `nextDataDir` gives the data folder of each start. */
export async function startTimeMs(
  kind: ServerKind,
  nextDataDir: () => string,
  times: number,
  options: StartOptions = {},
): Promise<number> {
  const timesMs: number[] = [];
  for (let i = 0; i < times; i++) {
    const dataDir = nextDataDir();
    const startMs = performance.now();
    const server = await Server.start(kind, dataDir, options);
    const { status } = await server.ask({ method: "GET", path: "/v1/data?per_page=1" });
    timesMs.push(performance.now() - startMs);
    await server.end();
    if (status !== 200) throw new Error(`the first list of ${kind} was answered ${status}`);
  }
  return median(timesMs);
}
