import { createHash } from "node:crypto";
import { invalidMember } from "./errors.ts";
import { parseOrdered } from "./ordered-json.ts";
import { isStorable } from "./validator.ts";

const DEFAULT_PER_PAGE = 20;
const MAX_PER_PAGE = 100;
/** How deep page numbers reach; a cursor goes on from there. */
const MAX_PAGE_DEPTH = 100_000;
const CURSOR_VERSION = 1;

/** Where an item stands in a list's order: the value it is sorted by, and its id to break ties. */
export interface ListPosition {
  readonly value: string | number;
  readonly id: string;
}

export interface PageParams {
  readonly page?: number;
  readonly per_page?: number;
  readonly cursor?: string;
}

/** What a cursor is bound to: the list, its filters, its order, and what kind of value that order sorts by. */
export interface ListScope {
  readonly parts: readonly (string | undefined)[];
  readonly valueType: "string" | "number";
}

/** Which items are asked for: those behind `after`, or else those behind so many. */
export interface Page {
  readonly page: number;
  readonly perPage: number;
  readonly offset: number;
  readonly after: ListPosition | undefined;
}

/** A list as actions give it back. */
export interface ListResult<Item> {
  items: Item[];
  page: number;
  per_page: number;
  total: number;
  next_cursor: string | null;
}

/**
 * Reads `page`, `per_page` and `cursor`; a cursor wins over a page number.
 * @throws ServiceError 400 for a cursor that is none or was made for another scope, and for too deep a page
 */
export function readPage(params: PageParams, scope: ListScope): Page {
  if (params.cursor === undefined) return readPageNumber(params, "go on with the cursor in next_cursor");
  const { page, position } = readCursor(params.cursor, scope);
  return { page, perPage: readPerPage(params), offset: 0, after: position };
}

/**
 * Reads `page` and `per_page` alone.
 * @param beyond the way to what lies deeper than page numbers reach, for the error
 * @throws ServiceError 400 for too deep a page
 */
export function readPageNumber(params: Pick<PageParams, "page" | "per_page">, beyond: string): Page {
  const perPage = readPerPage(params);
  const page = params.page ?? 1;
  if (page * perPage > MAX_PAGE_DEPTH) {
    const reach = `page times per_page must be at most ${MAX_PAGE_DEPTH.toLocaleString("en")}`;
    throw invalidMember("page", `is too deep: ${reach}; ${beyond}`);
  }
  return { page, perPage, offset: (page - 1) * perPage, after: undefined };
}

function readPerPage({ per_page = DEFAULT_PER_PAGE }: Pick<PageParams, "per_page">): number {
  return Math.min(per_page, MAX_PER_PAGE);
}

/**
 * The list's answer from one item more than the page holds: that one only says that there is a next page.
 * @param positions of the items, in the same order
 */
export function toListResult<Item>(
  page: Page,
  scope: ListScope,
  items: readonly Item[],
  positions: readonly ListPosition[],
  total: number,
): ListResult<Item> {
  const last = positions[page.perPage - 1];
  const hasNext = positions.length > page.perPage;
  return {
    items: items.slice(0, page.perPage),
    page: page.page,
    per_page: page.perPage,
    total,
    next_cursor: hasNext && last ? writeCursor(page.page + 1, last, scope) : null,
  };
}

function writeCursor(page: number, { value, id }: ListPosition, scope: ListScope): string {
  const content = JSON.stringify([CURSOR_VERSION, scopeHash(scope), page, value, id]);
  return Buffer.from(content).toString("base64url");
}

function readCursor(cursor: string, scope: ListScope): { page: number; position: ListPosition } {
  const content = parseCursor(cursor);
  if (!Array.isArray(content) || content.length !== 5 || content[0] !== CURSOR_VERSION) throw notACursor();
  const [, hash, page, value, id]: unknown[] = content;
  if (hash !== scopeHash(scope)) {
    throw invalidMember("cursor", "was made for other filters or another order");
  }
  if (!isPageNumber(page) || !isText(id)) throw notACursor();
  if (scope.valueType === "number" && isWhole(value)) return { page, position: { value, id } };
  if (scope.valueType === "string" && isText(value)) return { page, position: { value, id } };
  throw notACursor();
}

function parseCursor(cursor: string): unknown {
  // Decoding passes over what is not of the alphabet.
  if (!/^[\w-]+$/.test(cursor)) throw notACursor();
  try {
    return parseOrdered(Buffer.from(cursor, "base64url").toString());
  } catch {
    throw notACursor();
  }
}

function isPageNumber(value: unknown): value is number {
  return isWhole(value) && value > 1;
}

function isWhole(value: unknown): value is number {
  return Number.isSafeInteger(value);
}

function isText(value: unknown): value is string {
  return typeof value === "string" && isStorable(value);
}

function notACursor() {
  return invalidMember("cursor", "is not a cursor of this service");
}

function scopeHash({ parts }: ListScope): string {
  const text = JSON.stringify(parts.map((part) => part ?? null));
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
