/** A time in milliseconds since 1970 as the interface writes it. */
export function isoTime(ms: number): string {
  return new Date(ms).toISOString();
}
