import { isDeepStrictEqual } from "node:util";
import type { RecordResource } from "../../services/records/record.schema.ts";
import type { Doubt, Lane } from "./workload-lane.ts";
import type { Content, WriteOf } from "./workload-writes.ts";

type Found = ReadonlyMap<string, RecordResource>;

export interface Settlement {
  /** How many of the writes in doubt have happened. */
  readonly happened: number;
  /** Writes in doubt that were done by half, or otherwise than they were asked for. */
  readonly faults: string[];
  /** Merges in doubt that happened: nobody knows the time of their event. */
  readonly merges: number;
}

/**
 * Finds out which of a lane's writes in doubt have happened, and lets the lane know.
 * @param found the lane's records as they are now
 * @param shared the record that all lanes write to, as it is now
 */
export function settleDoubts(lane: Lane, found: Found, shared: RecordResource | undefined): Settlement {
  const faults: string[] = [];
  let happened = 0;
  let merges = 0;
  for (const doubt of lane.doubts.splice(0)) {
    const verdict = settle(lane, doubt, found, shared);
    if (typeof verdict === "string") faults.push(verdict);
    else if (verdict) happened += 1;
    if (verdict === true && doubt.kind === "merge") merges += 1;
  }
  return { happened, faults, merges };
}

/** Whether a write in doubt has happened, or what is wrong with it. */
type Verdict = boolean | string;

function settle(lane: Lane, doubt: Doubt, found: Found, shared: RecordResource | undefined): Verdict {
  switch (doubt.kind) {
    case "create":
      return settleCreate(lane, doubt, found);
    case "patch":
      return settlePatch(lane, doubt, found);
    case "delete":
      return settleDelete(lane, doubt, found);
    case "merge":
      if (shared?.fields[lane.word] !== doubt.value) return false;
      lane.accept(doubt, []);
      return true;
  }
}

function settleCreate(lane: Lane, doubt: WriteOf<"create">, found: Found): Verdict {
  const { marker, contents } = doubt;
  const made = [...found.values()].filter(({ fields }) => fields.marker === marker);
  if (made.length === 0) return false;
  lane.accept(doubt, made);
  if (made.length !== contents.length) return `${made.length} of ${contents.length} records of ${marker}`;
  const isAsSent = made.every((record) => contents.some((content) => hasContent(record, content)));
  return isAsSent || `records of ${marker} are not as they were sent`;
}

function settlePatch(lane: Lane, doubt: WriteOf<"patch">, found: Found): Verdict {
  const { after, takes } = doubt;
  const [before] = takes;
  const current = found.get(after.id);
  if (isDeepStrictEqual(current, before)) {
    giveBack(lane, takes);
    return false;
  }
  if (!current) return `${after.id} is gone`;
  lane.accept(doubt, [current]);
  const isLater = current.updated_at > before.updated_at;
  const isAsSent = current.status === after.status && hasContent(current, after);
  return (isLater && isAsSent) || `${after.id} was patched to what nobody sent`;
}

function settleDelete(lane: Lane, doubt: WriteOf<"delete">, found: Found): Verdict {
  const { takes } = doubt;
  const left = takes.filter(({ id }) => found.has(id));
  if (left.length === 0) {
    lane.accept(doubt, []);
    return true;
  }
  giveBack(lane, left);
  return left.length === takes.length ? false : `${left.length} of ${takes.length} records were left`;
}

function giveBack(lane: Lane, records: readonly RecordResource[]): void {
  for (const record of records) lane.records.set(record.id, record);
}

function hasContent(record: RecordResource, { name, type, fields, tags }: Content): boolean {
  return isDeepStrictEqual(
    { name: record.name, type: record.type, fields: record.fields, tags: record.tags },
    { name, type, fields, tags },
  );
}
