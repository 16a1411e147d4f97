/**
 * The servers of a run: the service and its floor at each size, all started, all paused but the one that
 * is measured. So sizes and servers are measured in turn within seconds, and drift hits all alike.
 */
import type { Options } from "./options.ts";
import type { Scenario } from "./scenarios.ts";
import { Server, type ServerKind } from "./servers.ts";
import type { Store, Stores } from "./stores.ts";

export type Side = "service" | "floor";

export interface Subject {
  side: Side;
  kind: ServerKind;
  size: number;
  store: Store;
  server: Server;
  /** Memory once it was started and at rest. */
  idleMiB: number | undefined;
}

/** Which server stands for a side in a scenario: the floor has two, and in the self-test so has the service. */
export function kindFor(side: Side, scenario: Scenario, selfTest: boolean): ServerKind {
  if (side === "service" && !selfTest) return "service";
  return scenario.search ? "floor-fts" : "floor";
}

/** Starts, pinned and then paused, each server that the scenarios need, on a copy of its store. */
export async function startSubjects(
  options: Options,
  chosen: readonly Scenario[],
  sides: readonly Side[],
  stores: Stores,
): Promise<Subject[]> {
  const subjects: Subject[] = [];
  for (const size of options.sizes) {
    for (const side of sides) {
      const kinds = new Set(chosen.map((scenario) => kindFor(side, scenario, options.selfTest)));
      for (const kind of kinds) subjects.push(await startSubject(side, kind, size, stores));
    }
  }
  return subjects;
}

/** Lets one server run while all others rest. What goes wrong is thrown with the server's last output. */
export async function withSubject<Result>(subject: Subject, work: () => Promise<Result>): Promise<Result> {
  subject.server.child.resume();
  try {
    return await work();
  } catch (cause) {
    const output = subject.server.lastOutput();
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${subject.kind} at ${subject.size} records: ${reason}\n${output}`, { cause });
  } finally {
    subject.server.child.pause();
  }
}

async function startSubject(side: Side, kind: ServerKind, size: number, stores: Stores): Promise<Subject> {
  const store = await stores.workingCopy(kind, size);
  const server = await Server.start(kind, store.dataDir, { pinned: true });
  if (!(await server.untilIdle())) throw new Error(`${kind} at ${size} records does not come to rest`);
  const idleMiB = server.child.residentMiB();
  server.child.pause();
  return { side, kind, size, store, server, idleMiB };
}
