import { createPacer } from "../../lib/pacer.ts";
import type { ListPosition } from "../../lib/paging.ts";
import type { Sql, SqlValue } from "../database.ts";
import { dialectSql } from "../dialect.ts";
import type { ListOrder } from "./list-order.ts";
import type { ListFilter, Listing, PositionRange } from "./listing.ts";

/** How many index entries one statement skips: a deep page takes several, and others get their turn between. */
const MAX_SKIP = 5_000;

/** Which rows of which table, in which order. */
export interface ListView {
  readonly listing: Listing;
  readonly filter: ListFilter;
  readonly order: ListOrder;
}

/**
 * Where the rows of a filter stand in an order, from covering indexes alone: the cost is that of the entries
 * walked, whatever the size of the workspace.
 */
export async function listPositions(
  sql: Sql,
  view: ListView,
  { after, offset, limit }: PositionRange,
): Promise<ListPosition[]> {
  const pause = createPacer();
  let start = after;
  let toSkip = offset;
  for (; toSkip > MAX_SKIP; toSkip -= MAX_SKIP) {
    const [last] = await readPositions(sql, view, { after: start, offset: MAX_SKIP - 1, limit: 1 });
    if (!last) return [];
    start = last;
    await pause();
  }
  return await readPositions(sql, view, { after: start, offset: toSkip, limit });
}

interface Branch {
  readonly select: string;
  readonly parameters: readonly SqlValue[];
}

async function readPositions(
  sql: Sql,
  view: ListView,
  { after, offset, limit }: PositionRange,
): Promise<ListPosition[]> {
  const { listing, filter, order } = view;
  const branches = listing.statuses
    .filter((status) => filter.status === undefined || filter.status === status)
    .map((status) => branch(sql, view, status, after))
    .filter((part) => part !== undefined);
  if (branches.length === 0) return [];
  const { mergeBranch } = dialectSql[sql.dialect];
  const branchOrder = orderClause(order.column === "status" ? { ...order, column: "id" } : order);
  const selects = branches.map(({ select }) => mergeBranch(select, branchOrder, offset + limit));
  return await sql.query<ListPosition>(
    `${selects.join(" UNION ALL ")} ${orderClause(order)} LIMIT ? OFFSET ?`,
    [...branches.flatMap(({ parameters }) => parameters), limit, offset],
  );
}

/** Databases sort where an order names a column that can make no difference: it must be left out. */
function orderClause({ column, direction }: ListOrder): string {
  return column === "id" ? `ORDER BY id ${direction}` : `ORDER BY value ${direction}, id ${direction}`;
}

/**
 * The rows of one status: every index begins with workspace and status, so a list of all statuses merges
 * them. Undefined where none can come behind `after`.
 */
function branch(
  sql: Sql,
  { listing, filter: { workspaceId, group }, order }: ListView,
  status: string,
  after: ListPosition | undefined,
): Branch | undefined {
  const behind = after ? behindPosition(sql, status, order, after) : EVERYTHING;
  if (!behind) return undefined;
  const ofGroup =
    group === undefined ? EVERYTHING : { condition: `AND ${listing.group} = ?`, parameters: [group] };
  return {
    select:
      `SELECT id, ${order.column} AS value FROM ${listing.table} ${dialectSql[sql.dialect].useIndex(order.index)} ` +
      `WHERE workspace_id = ? AND status = ? ${ofGroup.condition} ${behind.condition}`,
    parameters: [workspaceId, status, ...ofGroup.parameters, ...behind.parameters],
  };
}

interface Condition {
  readonly condition: string;
  readonly parameters: readonly SqlValue[];
}

const EVERYTHING: Condition = { condition: "", parameters: [] };

/** What of one status's rows comes behind a position; undefined for nothing. */
function behindPosition(
  { dialect }: Sql,
  status: string,
  { column, direction }: ListOrder,
  { value, id }: ListPosition,
): Condition | undefined {
  const comparison = direction === "asc" ? ">" : "<";
  if (column === "status" && status !== value) {
    const isBehind = direction === "asc" ? status > String(value) : status < String(value);
    return isBehind ? EVERYTHING : undefined;
  }
  if (column === "status" || column === "id")
    return { condition: `AND id ${comparison} ?`, parameters: [id] };
  const { beyond, beyondValues } = dialectSql[dialect];
  return { condition: `AND ${beyond([column, "id"], comparison)}`, parameters: beyondValues(value, id) };
}
