/** What a JSON object is once it is parsed: values by name. */
export type Members = Record<string, unknown>;

/** Whether a parsed value is an object, and no list. */
export function isMembers(value: unknown): value is Members {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
