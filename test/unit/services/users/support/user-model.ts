import { queryWords, searchWords } from "../../../../../lib/search-words.ts";
import type { ListUsersParams, UserResource } from "../../../../../services/users/user.schema.ts";

/**
 * What a list must show, worked out the plain way: all users of a workspace, filtered, then sorted by code
 * point with ties by id.
 */
export function modelList(
  users: Iterable<UserResource>,
  { role, status, q, sort = "created_at", order = "asc" }: ListUsersParams,
): UserResource[] {
  const sign = order === "asc" ? 1 : -1;
  return [...users]
    .filter((user) => role === undefined || user.role === role)
    .filter((user) => status === undefined || user.status === status)
    .filter((user) => q === undefined || isFound(user, q))
    .sort((left, right) => sign * (compareBytes(left[sort], right[sort]) || compareBytes(left.id, right.id)));
}

/** The distinct index words of a user. */
export function modelWords({ name, email }: UserResource): string[] {
  return searchWords([name, email]);
}

/** UTF-8 sorts by code point. */
function compareBytes(left: string, right: string): number {
  return Buffer.compare(Buffer.from(left), Buffer.from(right));
}

function isFound(user: UserResource, q: string): boolean {
  const words = modelWords(user);
  const prefixes = queryWords(q);
  return prefixes.length > 0 && prefixes.every((prefix) => words.some((word) => word.startsWith(prefix)));
}
