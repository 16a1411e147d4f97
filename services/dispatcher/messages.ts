import type { EventName } from "../../lib/event-names.ts";

const MAX_NAME_CHARACTERS = 80;

/** Line breaks and everything else without a place in a line, and what turns the direction of writing. */
const unprintable = /[\p{Cc}\p{Zl}\p{Zp}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\s]+/gu;

type EventData = Readonly<Record<string, unknown>>;

const sentences: Readonly<Record<EventName, (data: EventData) => string>> = {
  "record.created": (data) => `Record ${quoted(data.name)} was created.`,
  "record.updated": (data) => `Record ${quoted(data.name)} was updated.`,
  "record.deleted": (data) => `Record ${quoted(data.name)} was deleted.`,
  "user.invited": (data) => `User ${quoted(data.name)} was invited as ${shortName(data.role)}.`,
  "user.removed": (data) => `User ${quoted(data.name)} was removed.`,
  "integration.connected": (data) => `Integration ${quoted(data.name)} was connected.`,
  "integration.disconnected": (data) => `Integration ${quoted(data.name)} was disconnected.`,
};

/**
 * What happened, as one short line for people.
 * @param payload the body that receivers get; its `data` has the names
 */
export function eventSentence(event: EventName, payload: string): string {
  return sentences[event](payloadData(payload));
}

/** The resource that an event is about, as receivers see it. */
export function payloadData(payload: string): EventData {
  const { data }: { data: EventData } = JSON.parse(payload);
  return data;
}

/** A name that somebody gave, as a part of a line: its white space made plain, its end cut where it is long. */
export function shortName(name: unknown): string {
  const characters = [...String(name).replaceAll(unprintable, " ").trim()];
  if (characters.length <= MAX_NAME_CHARACTERS) return characters.join("");
  return `${characters
    .slice(0, MAX_NAME_CHARACTERS - 1)
    .join("")
    .trimEnd()}…`;
}

function quoted(name: unknown): string {
  return `“${shortName(name)}”`;
}
