import type { Sql } from "../../db/database.ts";
import type { Caller } from "../../lib/caller.ts";
import { notFound } from "../../lib/errors.ts";
import { createPacer } from "../../lib/pacer.ts";
import { type ListResult, type ListScope, readPage, toListResult } from "../../lib/paging.ts";
import {
  countUpTo,
  type DeliveryFilter,
  findAttempts,
  findDeliveries,
  findDelivery,
  findIds,
  type IdRange,
} from "./delivery.repository.ts";
import type {
  DeliveryDetails,
  DeliveryResource,
  ListDeliveriesParams,
  OneDeliveryParams,
} from "./delivery.schema.ts";
import { toDetails, toResource } from "./delivery-view.ts";
import { demandRegistration } from "./registration.ts";

/** How far `total` counts. */
const MAX_TOTAL = 10_000;
/** How many index entries one statement skips: a deep page takes several, and others get their turn between. */
const MAX_SKIP = 5_000;
/** One can be sent again any number of times, and an answer must not grow with that. */
const MAX_ATTEMPTS_SHOWN = 100;

/**
 * One page of the deliveries of a registration, the oldest first unless told otherwise.
 * @throws ServiceError 404 for a registration that the workspace does not have; 400 for a cursor that does not
 * fit, or too deep a page
 */
export async function listDeliveries(
  sql: Sql,
  { workspaceId }: Caller,
  params: ListDeliveriesParams,
): Promise<ListResult<DeliveryResource>> {
  const { id: targetId, status, event, order = "asc" } = params;
  const scope: ListScope = {
    parts: ["deliveries", workspaceId, targetId, status, event, order],
    valueType: "string",
  };
  const page = readPage(params, scope);
  await demandRegistration(sql, workspaceId, targetId);
  const filter: DeliveryFilter = { targetId, status, event };
  const range = { after: page.after?.id, offset: page.offset, limit: page.perPage + 1 };
  const ids = await walkTo(sql, filter, order, range);
  const rows = await findDeliveries(sql, ids.slice(0, page.perPage));
  const positions = ids.map((id) => ({ value: id, id }));
  const total = await countUpTo(sql, filter, MAX_TOTAL);
  return toListResult(page, scope, rows.map(toResource), positions, total);
}

async function walkTo(
  sql: Sql,
  filter: DeliveryFilter,
  order: "asc" | "desc",
  { after, offset, limit }: IdRange,
): Promise<string[]> {
  const pause = createPacer();
  let start = after;
  let toSkip = offset;
  for (; toSkip > MAX_SKIP; toSkip -= MAX_SKIP) {
    const [last] = await findIds(sql, filter, order, { after: start, offset: MAX_SKIP - 1, limit: 1 });
    if (last === undefined) return [];
    start = last;
    await pause();
  }
  return await findIds(sql, filter, order, { after: start, offset: toSkip, limit });
}

/**
 * One delivery of a registration, with what is sent and what came of each attempt.
 * @throws ServiceError 404 where the workspace does not have the registration, or that not the delivery
 */
export async function getDelivery(
  sql: Sql,
  { workspaceId }: Caller,
  { id, delivery_id }: OneDeliveryParams,
): Promise<DeliveryDetails> {
  await demandRegistration(sql, workspaceId, id);
  const row = await findDelivery(sql, id, delivery_id);
  if (!row) throw notFound("delivery");
  const { payload, ...delivery } = row;
  return toDetails(delivery, payload, await findAttempts(sql, delivery_id, MAX_ATTEMPTS_SHOWN));
}
