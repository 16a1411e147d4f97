import type { IdKind } from "../../lib/ids.ts";
import type { ListPosition } from "../../lib/paging.ts";

/**
 * A table whose rows are listed, counted and searched. It has the columns `id`, `workspace_id`, `status`,
 * `updated_at` and `words`, one more that lists may be filtered by (its group), and those that it sorts by.
 * @template Column what lists can be sorted by beside the id
 */
export interface Listing<Column extends string = string> {
  readonly table: string;
  readonly idKind: IdKind;
  /** The column that sorts things into kinds, as a record's type. It is never empty. */
  readonly group: string;
  /** Every status that a row can have. */
  readonly statuses: readonly string[];
  readonly sorts: Readonly<Record<Column | "id", Sort>>;
  /** The table of counters: workspace_id, the group, status, slot, count. */
  readonly counts: string;
  readonly index: WordIndex;
}

/** A table of the words that things are found by: workspace_id, word, and the thing's id. */
export interface WordIndex {
  readonly table: string;
  /** The column of the thing's id. */
  readonly itemColumn: string;
}

/** One column to sort by, and the indexes that have the rows of one status in its order. */
export interface Sort {
  readonly valueType: "string" | "number";
  /** Over all groups. */
  readonly index: string;
  /** Within one group. */
  readonly groupIndex: string;
}

/** What a list or a search is about. */
export interface ListFilter {
  readonly workspaceId: string;
  readonly group?: string;
  readonly status?: string;
}

/** Which part of a list is asked for. */
export interface PositionRange {
  /** Only what comes behind this position. */
  readonly after?: ListPosition | undefined;
  readonly offset: number;
  readonly limit: number;
}
