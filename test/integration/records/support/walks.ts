import { expect } from "@jest/globals";
import type { RecordResource } from "../../../../services/records/record.schema.ts";
import { type HttpAnswer, request, type Target } from "../../../support/http.ts";

/** Asks for a list; the parameters are percent-encoded here. */
export async function list(
  target: Target,
  params: Readonly<Record<string, string>> = {},
): Promise<HttpAnswer<RecordResource[]>> {
  const answer = await request<RecordResource[]>(target, "GET", `/v1/data?${new URLSearchParams(params)}`);
  expect(answer.status).toBe(200);
  return answer;
}

/**
 * Walks a list by its cursors from the first page to the last.
 * @param between called after each page, before the next one is asked for
 * @returns everything that was shown, page by page
 */
export async function walk(
  target: Target,
  params: Readonly<Record<string, string>>,
  between: (shown: readonly RecordResource[]) => Promise<void> = async () => {},
): Promise<RecordResource[][]> {
  const pages: RecordResource[][] = [];
  let cursor: unknown = "";
  while (cursor !== null) {
    const { body } = await list(target, cursor === "" ? params : { ...params, cursor: String(cursor) });
    pages.push(body.data);
    expect(body.meta.page).toBe(pages.length);
    cursor = body.meta.next_cursor;
    await between(body.data);
  }
  return pages;
}
