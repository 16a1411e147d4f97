import type { Listing } from "../../db/listing/listing.ts";
import { type UserSort, userStatuses } from "./user.schema.ts";

/** How users are listed, counted and searched: by which indexes, and in which tables. */
export const userListing: Listing<Exclude<UserSort, "id" | "created_at">> = {
  table: "users",
  idKind: "user",
  group: "role",
  statuses: userStatuses,
  sorts: {
    id: { valueType: "string", index: "users_id", groupIndex: "users_role" },
    status: { valueType: "string", index: "users_id", groupIndex: "users_role" },
    name: { valueType: "string", index: "users_name", groupIndex: "users_role_name" },
    email: { valueType: "string", index: "users_address", groupIndex: "users_role_address" },
    updated_at: { valueType: "number", index: "users_updated", groupIndex: "users_role_updated" },
    role: { valueType: "string", index: "users_role", groupIndex: "users_role" },
  },
  counts: "user_counts",
  index: { table: "user_words", itemColumn: "user_id" },
};
