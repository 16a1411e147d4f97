import { type PageParams, readPageNumber } from "./paging.ts";

/** Which items of a list are asked for: so many behind so many, or all where there is no limit. */
export interface ListPart {
  readonly offset: number;
  readonly limit: number | undefined;
}

/**
 * Reads `page` and `per_page` of a list that comes whole where neither is given.
 * @throws ServiceError 400 for too deep a page
 */
export function readOptionalPage(params: Pick<PageParams, "page" | "per_page">): ListPart {
  if (params.page === undefined && params.per_page === undefined) return { offset: 0, limit: undefined };
  const { offset, perPage } = readPageNumber(params, "without page and per_page the list comes whole");
  return { offset, limit: perPage };
}

/** That part of a list that is there as a whole. */
export function takePart<Item>(items: readonly Item[], { offset, limit }: ListPart): Item[] {
  return items.slice(offset, limit === undefined ? undefined : offset + limit);
}
