import type { ReindexedListing } from "../../db/listing/reindex.ts";
import type { UserRow } from "./user.entity.ts";
import { lockUser, searchedTexts } from "./user.repository.ts";
import { userListing } from "./user-listing.ts";

/** How the index of users is mended, and made for those of before there was one. */
export const reindexedUsers: ReindexedListing<UserRow> = {
  listing: userListing,
  settings: { version: "users.search.version", reindexed: "users.search.reindexed" },
  lock: lockUser,
  texts: searchedTexts,
};
