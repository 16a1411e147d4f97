import type { ListResult } from "../lib/paging.ts";
import type { Call } from "./command.ts";

const PAGE_SIZE = 1_000;

/** All items of an operators' listing, whose pages follow each other by `before`. */
export async function everyPage<Item extends { id: string }>(
  call: Call,
  action: string,
  filter: Readonly<Record<string, unknown>>,
): Promise<Item[]> {
  const items: Item[] = [];
  for (;;) {
    const page: Item[] = await call(action, { ...filter, limit: PAGE_SIZE, before: items.at(-1)?.id });
    items.push(...page);
    if (page.length < PAGE_SIZE) return items;
  }
}

/** All items of a workspace's listing, whose pages follow each other by cursor. */
export async function everyItem<Item>(
  call: Call,
  action: string,
  filter: Readonly<Record<string, unknown>>,
  workspaceId: string | undefined,
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | null | undefined;
  do {
    const page: ListResult<Item> = await call(
      action,
      { ...filter, per_page: 100, cursor: cursor ?? undefined },
      workspaceId,
    );
    items.push(...page.items);
    cursor = page.next_cursor;
  } while (cursor !== null);
  return items;
}
