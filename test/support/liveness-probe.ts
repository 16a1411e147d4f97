import { once } from "node:events";
import { Worker } from "node:worker_threads";
import type { Target } from "./http.ts";

/**
 * How long GET /livez had to wait on another connection while work was under way, in milliseconds: what
 * everybody else had to wait. It is asked from a thread of its own, which this one cannot hold up.
 * @throws Error where it was not answered 200
 */
export async function waitsDuring({ port }: Target, work: () => Promise<void>): Promise<number[]> {
  const worker = new Worker(new URL("./liveness-probe.worker.ts", import.meta.url), { workerData: { port } });
  const failed = once(worker, "error").then(([error]) => {
    throw error;
  });
  try {
    await Promise.race([once(worker, "message"), failed]);
    await work();
    const told = once(worker, "message");
    worker.postMessage("stop");
    const [waitsMs] = await Promise.race([told, failed]);
    return waitsMs;
  } finally {
    failed.catch(() => {});
    await worker.terminate();
  }
}
