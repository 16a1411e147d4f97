import type { ListResult } from "../../../../../lib/paging.ts";
import type { ListRecordsParams, RecordResource } from "../../../../../services/records/record.schema.ts";

type List = (params: ListRecordsParams) => Promise<ListResult<RecordResource>>;

/** Pages of a list one after another by page number, up to and with the one that has no next. */
export async function walkByPage(
  list: List,
  params: ListRecordsParams,
): Promise<ListResult<RecordResource>[]> {
  const pages: ListResult<RecordResource>[] = [];
  for (let page = 1; ; page += 1) {
    const result = await list({ ...params, page });
    pages.push(result);
    if (result.next_cursor === null) return pages;
  }
}

/** The same pages by cursor; `between` runs after each page but the last. */
export async function walkByCursor(
  list: List,
  params: ListRecordsParams,
  between: (pagesSoFar: number) => Promise<void> = async () => {},
): Promise<ListResult<RecordResource>[]> {
  const pages: ListResult<RecordResource>[] = [];
  let cursor: string | undefined;
  for (;;) {
    const result = await list({ ...params, cursor });
    pages.push(result);
    if (result.next_cursor === null) return pages;
    cursor = result.next_cursor;
    await between(pages.length);
  }
}
