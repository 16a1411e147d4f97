import { placeholders, type Sql, type SqlValue } from "../../db/database.ts";
import { dialectSql } from "../../db/dialect.ts";
import { ID_CHUNK_SIZES, inChunks } from "../../db/insert-rows.ts";
import type { Direction } from "../../db/listing/list-order.ts";
import { deliveryStatuses } from "../../lib/delivery-states.ts";
import { eventNames } from "../../lib/event-names.ts";
import type { ShownAttempt, ShownDelivery } from "./delivery-view.ts";

/** The deliveries of one registration, or those of them with a status, an event or both. */
export interface DeliveryFilter {
  readonly targetId: string;
  readonly status?: string | undefined;
  readonly event?: string | undefined;
}

export interface IdRange {
  /** Only what comes behind this id. */
  readonly after: string | undefined;
  readonly offset: number;
  readonly limit: number;
}

interface Branch {
  readonly condition: string;
  readonly parameters: readonly SqlValue[];
}

/**
 * The parts of a filter whose ids one index has ready in order: there is an index of all deliveries, and one by
 * status and event, of which a filter by one of them takes several stretches.
 */
function branchesOf({ targetId, status, event }: DeliveryFilter): { index: string; branches: Branch[] } {
  if (status === undefined && event === undefined) {
    return { index: "deliveries_target", branches: [{ condition: "target_id = ?", parameters: [targetId] }] };
  }
  const statuses = status === undefined ? deliveryStatuses : [status];
  const events = event === undefined ? eventNames : [event];
  const branches = statuses.flatMap((ofStatus) =>
    events.map((ofEvent) => ({
      condition: "target_id = ? AND status = ? AND event = ?",
      parameters: [targetId, ofStatus, ofEvent],
    })),
  );
  return { index: "deliveries_status", branches };
}

/** The ids of a filter in the order in which they were made, or the other way round. */
export async function findIds(
  sql: Sql,
  filter: DeliveryFilter,
  direction: Direction,
  { after, offset, limit }: IdRange,
): Promise<string[]> {
  const { useIndex, mergeBranch } = dialectSql[sql.dialect];
  const { index, branches } = branchesOf(filter);
  const behind = after === undefined ? "" : `AND id ${direction === "asc" ? ">" : "<"} ?`;
  const orderBy = `ORDER BY id ${direction}`;
  const selects = branches.map(({ condition }) =>
    mergeBranch(
      `SELECT id FROM deliveries ${useIndex(index)} WHERE ${condition} ${behind}`,
      orderBy,
      offset + limit,
    ),
  );
  const parameters = branches.flatMap((branch) =>
    after === undefined ? branch.parameters : [...branch.parameters, after],
  );
  const rows = await sql.query<{ id: string }>(`${selects.join(" UNION ALL ")} ${orderBy} LIMIT ? OFFSET ?`, [
    ...parameters,
    limit,
    offset,
  ]);
  return rows.map(({ id }) => id);
}

/** How many deliveries a filter has, counted no further than the limit. */
export async function countUpTo(sql: Sql, filter: DeliveryFilter, limit: number): Promise<number> {
  const { index, branches } = branchesOf(filter);
  const from = `deliveries ${dialectSql[sql.dialect].useIndex(index)}`;
  const selects = branches.map(({ condition }) => `SELECT id FROM ${from} WHERE ${condition}`);
  const [row] = await sql.query<{ count: number }>(
    `SELECT COUNT(*) AS count FROM (${selects.join(" UNION ALL ")} LIMIT ?) AS bounded`,
    [...branches.flatMap(({ parameters }) => parameters), limit],
  );
  return row?.count ?? 0;
}

/** The deliveries with these ids, in the order of the ids; those that have gone meanwhile are left out. */
export async function findDeliveries(sql: Sql, ids: readonly string[]): Promise<ShownDelivery[]> {
  const from = `deliveries d ${dialectSql[sql.dialect].usePrimaryKey("deliveries")}`;
  const found = new Map<string, ShownDelivery>();
  for (const chunk of inChunks(ids, ID_CHUNK_SIZES)) {
    const rows = await sql.query<ShownDelivery>(
      `SELECT d.id, d.event, d.status, d.created_at, q.due_at, q.claim_id FROM ${from} ` +
        `LEFT JOIN delivery_queue q ON q.delivery_id = d.id WHERE d.id IN (${placeholders(chunk.length)})`,
      chunk,
    );
    for (const row of rows) found.set(row.id, row);
  }
  return ids.map((id) => found.get(id)).filter((row) => row !== undefined);
}

/** A delivery of this registration, and the text that receivers get of it; undefined where there is none. */
export async function findDelivery(
  sql: Sql,
  targetId: string,
  id: string,
): Promise<(ShownDelivery & { readonly payload: string | null }) | undefined> {
  const [row] = await sql.query<ShownDelivery & { readonly payload: string | null }>(
    "SELECT d.id, d.event, d.status, d.created_at, q.due_at, q.claim_id, e.payload FROM deliveries d " +
      "LEFT JOIN delivery_queue q ON q.delivery_id = d.id LEFT JOIN events e ON e.id = d.event_id " +
      "WHERE d.id = ? AND d.target_id = ?",
    [id, targetId],
  );
  return row;
}

/** The last attempts of a delivery, so many of them at most, the oldest first. */
export async function findAttempts(sql: Sql, deliveryId: string, limit: number): Promise<ShownAttempt[]> {
  const rows = await sql.query<ShownAttempt>(
    "SELECT at, duration_ms, status_code, error, response FROM delivery_attempts " +
      "WHERE delivery_id = ? ORDER BY number DESC LIMIT ?",
    [deliveryId, limit],
  );
  return rows.reverse();
}
