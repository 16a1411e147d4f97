import { decodeTime, monotonicFactory } from "ulid";

/** The kinds of things that have an id, and the prefix that says which. */
export const idPrefixes = {
  workspace: "ws_",
  user: "usr_",
  key: "key_",
  record: "rec_",
  event: "evt_",
  integration: "int_",
  webhook: "wh_",
  delivery: "dlv_",
} as const;

export type IdKind = keyof typeof idPrefixes;

/** Characters of the longest id: what a database column needs. */
export const MAX_ID_LENGTH = 40;

const nextUlid = monotonicFactory();

/**
 * A new id: the kind's prefix and a ULID, so that ids made one after another in a process sort in the
 * order in which they were made.
 * @param nowMs milliseconds since 1970; a clock that stands still or steps back does not break the order
 */
export function newId(kind: IdKind, nowMs: number = Date.now()): string {
  return idPrefixes[kind] + nextUlid(nowMs);
}

/** The time, in milliseconds since 1970, at which an id of this kind was made. */
export function idTimeMs(kind: IdKind, id: string): number {
  return decodeTime(id.slice(idPrefixes[kind].length));
}
