import { isoTime } from "../../lib/iso-time.ts";
import type { ShownRow } from "./user.repository.ts";
import type { UserResource } from "./user.schema.ts";

/** A user as the interface shows it. */
export function toResource(row: ShownRow): UserResource {
  return {
    id: row.id,
    email: row.email,
    name: row.name,
    role: row.role,
    status: row.status,
    created_at: isoTime(row.created_at),
    updated_at: isoTime(row.updated_at),
  };
}
