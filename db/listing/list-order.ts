import { compareCodePoints } from "../../lib/compare-code-points.ts";
import type { ListPosition } from "../../lib/paging.ts";
import type { ListFilter, Listing, Sort } from "./listing.ts";

export type Direction = "asc" | "desc";

/** An order, and where the database has it ready. */
export interface ListOrder<Column extends string = string> {
  readonly column: Column;
  readonly direction: Direction;
  /** What kind of values it sorts by. */
  readonly valueType: Sort["valueType"];
  /** The index that has the rows of the filter, of one status, in this order. */
  readonly index: string;
}

/** The order that was asked for, by the cheapest column that gives it. */
export function listOrder<Column extends string>(
  listing: Listing<Column>,
  sort: Column | "id" | "created_at" = "created_at",
  direction: Direction = "asc",
  filter: ListFilter,
): ListOrder<Column | "id"> {
  const { group, status } = filter;
  const isFixed =
    (sort === listing.group && group !== undefined) || (sort === "status" && status !== undefined);
  // The id begins with the time of creation, and a column that the filter fixes leaves only the id.
  const column = sort === "created_at" || isFixed ? "id" : sort;
  const { valueType, index, groupIndex } = listing.sorts[column];
  return { column, direction, valueType, index: group === undefined ? index : groupIndex };
}

/** Compares positions as the databases order them: negative where the left one comes first. */
export function comparePositions({ direction }: Pick<ListOrder, "direction">) {
  const sign = direction === "asc" ? 1 : -1;
  return (left: ListPosition, right: ListPosition): number =>
    sign * (compareValues(left.value, right.value) || compareCodePoints(left.id, right.id));
}

function compareValues(left: string | number, right: string | number): number {
  if (typeof left === "number" && typeof right === "number") return left - right;
  return compareCodePoints(String(left), String(right));
}
