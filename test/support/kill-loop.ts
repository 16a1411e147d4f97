import { setTimeout as sleep } from "node:timers/promises";
import { expect } from "@jest/globals";
import type { Config } from "../../lib/config.ts";
import type { Random } from "./random.ts";
import { startService } from "./service-on.ts";
import { waitFor } from "./wait-for.ts";
import { Workload } from "./workload.ts";

export interface KillLoopOptions {
  readonly storage: Config["storage"];
  readonly kills: number;
  readonly random: Random;
  /** Told after each kill that was survived. */
  readonly onSurvived?: (line: string) => void;
}

const LANES = 12;
/** Writes between two kills, at least and at most. */
const WRITES = [20, 200] as const;
/** The kill comes within so long after the last of them: between any two steps of those under way. */
const MOMENT_MS = 40;

/**
 * Kills the service under load, again and again on the same data, and looks after each start whether
 * everything that was answered is there, and nothing by half.
 */
export async function killUnderLoad({ storage, kills, random, onSurvived }: KillLoopOptions): Promise<void> {
  let service = await startService(storage);
  const workload = await Workload.begin(service, { lanes: LANES, random, keepsConnection: true });
  for (let kill = 1; kill <= kills; kill += 1) {
    const load = workload.run(service, new AbortController().signal);
    const enough = workload.acknowledged + random.integer(...WRITES);
    await waitFor(() => workload.acknowledged >= enough, { what: `${enough} writes`, timeoutMs: 30_000 });
    await sleep(random.integer(0, MOMENT_MS));
    expect(await service.stop("SIGKILL")).toBeNull();
    await load;
    const inDoubt = workload.doubts;
    service = await startService(storage);
    const happened = await workload.expectIntact(service, storage);
    onSurvived?.(
      `kill ${kill}: ${workload.acknowledged} writes intact, ${happened} of ${inDoubt} unanswered done`,
    );
  }
  expect(await service.stop()).toBe(0);
}
