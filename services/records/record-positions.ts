import type { Sql, SqlValue } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { createPacer } from "../../lib/pacer.ts";
import type { ListPosition } from "../../lib/paging.ts";
import { recordStatuses } from "./record.schema.ts";
import type { OrderColumn, RecordFilter, RecordOrder } from "./record-order.ts";

/** How many index entries one statement skips: a deep page takes several, and others get their turn between. */
const MAX_SKIP = 5_000;

/** The index that has the records of one status, and of one type where that is fixed too, in an order. */
const indexes: Readonly<Record<"anyType" | "oneType", Readonly<Record<OrderColumn, string>>>> = {
  anyType: {
    id: "records_id",
    status: "records_id",
    name: "records_name",
    updated_at: "records_updated",
    type: "records_type",
  },
  oneType: {
    id: "records_type",
    status: "records_type",
    type: "records_type",
    name: "records_type_name",
    updated_at: "records_type_updated",
  },
};

export interface PositionRange {
  /** Only what comes behind this position. */
  readonly after?: ListPosition | undefined;
  readonly offset: number;
  readonly limit: number;
}

/**
 * Where the records of a filter stand in an order, from covering indexes alone: the cost is that of the
 * entries walked, whatever the size of the workspace.
 */
export async function listPositions(
  sql: Sql,
  filter: RecordFilter,
  order: RecordOrder,
  { after, offset, limit }: PositionRange,
): Promise<ListPosition[]> {
  const pause = createPacer();
  let start = after;
  let toSkip = offset;
  for (; toSkip > MAX_SKIP; toSkip -= MAX_SKIP) {
    const [last] = await readPositions(sql, filter, order, { after: start, offset: MAX_SKIP - 1, limit: 1 });
    if (!last) return [];
    start = last;
    await pause();
  }
  return await readPositions(sql, filter, order, { after: start, offset: toSkip, limit });
}

interface Branch {
  readonly select: string;
  readonly parameters: readonly SqlValue[];
}

async function readPositions(
  sql: Sql,
  filter: RecordFilter,
  order: RecordOrder,
  { after, offset, limit }: PositionRange,
): Promise<ListPosition[]> {
  const branches = recordStatuses
    .filter((status) => filter.status === undefined || filter.status === status)
    .map((status) => branch(sql, { ...filter, status }, order, after))
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
function orderClause({ column, direction }: RecordOrder): string {
  return column === "id" ? `ORDER BY id ${direction}` : `ORDER BY value ${direction}, id ${direction}`;
}

/**
 * The records of one status: every index begins with workspace and status, so a list of all statuses merges
 * the three. Undefined where none can come behind `after`.
 */
function branch(
  sql: Sql,
  { workspaceId, type, status }: RecordFilter & { status: string },
  order: RecordOrder,
  after: ListPosition | undefined,
): Branch | undefined {
  const behind = after ? behindPosition(sql, status, order, after) : EVERYTHING;
  if (!behind) return undefined;
  const index = indexes[type === undefined ? "anyType" : "oneType"][order.column];
  const ofType = type === undefined ? EVERYTHING : { condition: "AND type = ?", parameters: [type] };
  return {
    select:
      `SELECT id, ${order.column} AS value FROM records ${dialectSql[sql.dialect].useIndex(index)} ` +
      `WHERE workspace_id = ? AND status = ? ${ofType.condition} ${behind.condition}`,
    parameters: [workspaceId, status, ...ofType.parameters, ...behind.parameters],
  };
}

interface Condition {
  readonly condition: string;
  readonly parameters: readonly SqlValue[];
}

const EVERYTHING: Condition = { condition: "", parameters: [] };

/** What of one status's records comes behind a position; undefined for nothing. */
function behindPosition(
  { dialect }: Sql,
  status: string,
  { column, direction }: RecordOrder,
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
