import type { ListResult } from "../../lib/paging.ts";

interface PageChoice {
  readonly page?: number;
  readonly cursor?: string;
}

/** Pages of a list one after another by page number, up to and with the one that has no next. */
export async function walkByPage<Params extends PageChoice, Item>(
  list: (params?: Params) => Promise<ListResult<Item>>,
  params: NoInfer<Params>,
): Promise<ListResult<Item>[]> {
  const pages: ListResult<Item>[] = [];
  for (let page = 1; ; page += 1) {
    const result = await list({ ...params, page });
    pages.push(result);
    if (result.next_cursor === null) return pages;
  }
}

/** The same pages by cursor; `between` runs after each page but the last. */
export async function walkByCursor<Params extends PageChoice, Item>(
  list: (params?: Params) => Promise<ListResult<Item>>,
  params: NoInfer<Params>,
  between: (pagesSoFar: number) => Promise<void> = async () => {},
): Promise<ListResult<Item>[]> {
  const pages: ListResult<Item>[] = [];
  let cursor: string | undefined;
  for (;;) {
    const result = await list({ ...params, cursor });
    pages.push(result);
    if (result.next_cursor === null) return pages;
    cursor = result.next_cursor;
    await between(pages.length);
  }
}
