import { expect, test } from "@jest/globals";
import { everyItem, everyPage } from "../../../admin/every-page.ts";

test("every page of a listing is asked for, each from where the one before it ended", async () => {
  const items = Array.from({ length: 2_500 }, (_, place) => ({ id: `id_${9_999 - place}` }));
  const asked: unknown[] = [];
  const pages = async <Result>(action: string, params: Readonly<Record<string, unknown>>) => {
    asked.push({ action, ...params });
    const start = items.findIndex(({ id }) => id === params.before) + 1;
    const page: Result = JSON.parse(JSON.stringify(items.slice(start, start + 1_000)));
    return page;
  };
  expect(await everyPage(pages, "keys.list", { workspace_id: "ws_1" })).toEqual(items);
  const page = { action: "keys.list", workspace_id: "ws_1", limit: 1_000 };
  expect(asked).toEqual([
    { ...page, before: undefined },
    { ...page, before: "id_9000" },
    { ...page, before: "id_8000" },
  ]);
});

test("every page of a workspace's listing is asked for, each by the cursor of the one before", async () => {
  const asked: unknown[] = [];
  const pages = async <Result>(action: string, params: object, workspaceId?: string) => {
    asked.push({ action, ...params, workspaceId });
    const next_cursor = { 1: "two", 2: "three" }[asked.length] ?? null;
    const page: Result = JSON.parse(JSON.stringify({ items: [`item ${asked.length}`], next_cursor }));
    return page;
  };
  const items = await everyItem(pages, "users.list", { role: "viewer" }, "ws_1");
  expect(items).toEqual(["item 1", "item 2", "item 3"]);
  const page = { action: "users.list", role: "viewer", per_page: 100, workspaceId: "ws_1" };
  expect(asked).toEqual([
    { ...page, cursor: undefined },
    { ...page, cursor: "two" },
    { ...page, cursor: "three" },
  ]);
});
