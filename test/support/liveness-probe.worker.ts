/** Asks GET /livez on one connection, again and again, and tells its parent the waits when told to stop. */
import { Agent, get } from "node:http";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";

/** Between two questions, so that asking costs the process little. */
const PAUSE_MS = 2;

const { port }: { port: number } = workerData;
const agent = new Agent({ keepAlive: true, maxSockets: 1 });
const waitsMs: number[] = [];
let isStopping = false;

parentPort?.once("message", () => {
  isStopping = true;
});

function ask(): Promise<void> {
  return new Promise((resolve, reject) => {
    const question = get({ host: "127.0.0.1", port, path: "/livez", agent }, (response) => {
      if (response.statusCode !== 200) reject(new Error(`/livez was answered ${response.statusCode}`));
      text(response).then(() => resolve(), reject);
    });
    question.once("error", reject);
  });
}

// What the first questions cost is this side's compiling.
for (let question = 0; question < 50; question += 1) await ask();
parentPort?.postMessage("ready");
while (!isStopping) {
  const startMs = performance.now();
  await ask();
  waitsMs.push(performance.now() - startMs);
  await sleep(PAUSE_MS);
}
agent.destroy();
parentPort?.postMessage(waitsMs);
