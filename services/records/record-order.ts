import { compareCodePoints } from "../../lib/compare-code-points.ts";
import type { ListPosition } from "../../lib/paging.ts";
import type { RecordSort } from "./record.schema.ts";

/** The records that a list or a search is about. */
export interface RecordFilter {
  readonly workspaceId: string;
  readonly type?: string;
  readonly status?: string;
}

export type OrderColumn = Exclude<RecordSort, "created_at">;

export interface RecordOrder {
  readonly column: OrderColumn;
  readonly direction: "asc" | "desc";
}

/** The order that was asked for, by the cheapest column that gives it. */
export function recordOrder(
  sort: RecordSort = "created_at",
  direction: "asc" | "desc" = "asc",
  filter: RecordFilter,
): RecordOrder {
  // The id begins with the time of creation, and a column that the filter fixes leaves only the id.
  const byId =
    sort === "created_at" || (sort === "type" && filter.type) || (sort === "status" && filter.status);
  return { column: byId ? "id" : sort, direction };
}

/** What kind of values the order sorts by. */
export function orderValueType({ column }: RecordOrder): "string" | "number" {
  return column === "updated_at" ? "number" : "string";
}

/** Compares positions as the databases order them: negative where the left one comes first. */
export function comparePositions({ direction }: RecordOrder) {
  const sign = direction === "asc" ? 1 : -1;
  return (left: ListPosition, right: ListPosition): number =>
    sign * (compareValues(left.value, right.value) || compareCodePoints(left.id, right.id));
}

function compareValues(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return compareCodePoints(String(left), String(right));
}
