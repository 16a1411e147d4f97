import type { Sql } from "../../db/database.ts";
import { listPage } from "../../db/listing/list-page.ts";
import type { Caller } from "../../lib/caller.ts";
import { notFound } from "../../lib/errors.ts";
import type { ListResult } from "../../lib/paging.ts";
import { findUser, findUsers } from "./user.repository.ts";
import type { ListUsersParams, UserResource } from "./user.schema.ts";
import { userListing } from "./user-listing.ts";
import { toResource } from "./user-view.ts";

/** One user of the caller's workspace. Throws 404 where there is none with the id. */
export async function getUser(sql: Sql, { workspaceId }: Caller, id: string): Promise<UserResource> {
  const row = await findUser(sql, workspaceId, id);
  if (!row) throw notFound("user");
  return toResource(row);
}

/**
 * One page of the caller's users.
 * @throws ServiceError 400 for a cursor that does not fit, or too deep a page
 */
export async function listUsers(
  sql: Sql,
  { workspaceId }: Caller,
  params: ListUsersParams,
): Promise<ListResult<UserResource>> {
  const filter = { workspaceId, group: params.role, status: params.status };
  return await listPage(sql, userListing, filter, params, async (ids) =>
    (await findUsers(sql, workspaceId, ids)).map(toResource),
  );
}
