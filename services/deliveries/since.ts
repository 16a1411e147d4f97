import { invalidMember } from "../../lib/errors.ts";

/** Date, time and the offset from UTC, as ISO 8601 writes them. */
const timestamp = /^(\d{4})-(\d\d)-(\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,9})?)?(?:Z|[+-]\d\d:\d\d)$/;

/**
 * The time that `since` names, in milliseconds since 1970.
 * @throws ServiceError 400 where it is no timestamp with a time zone, or no day of the calendar
 */
export function readSince(text: string): number {
  const ms = Date.parse(text);
  const [, year, month, day] = timestamp.exec(text) ?? [];
  if (day === undefined || Number.isNaN(ms) || !isDay(Number(year), Number(month), Number(day))) {
    throw invalidMember("since", "must be an ISO 8601 timestamp, as in 2026-11-21T03:48:11.966Z");
  }
  return ms;
}

/** JavaScript takes the 30th of February for a day in March. */
function isDay(year: number, month: number, day: number): boolean {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDate() === day;
}
