import type { Call } from "./command.ts";

const PAGE_SIZE = 1_000;

/** All items of a listing whose pages follow each other by `before`. */
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
