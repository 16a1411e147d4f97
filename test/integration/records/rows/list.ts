import type { Scenario, Success } from "../support/scenario.ts";

const at = "GET /v1/data";

const finds = (why: string, query: string, shows: readonly string[], meta?: Success["meta"]): Scenario => ({
  at,
  why,
  change: { query },
  expected: { status: 200, shows, meta },
});

const filters: Scenario[] = [
  finds("one type", "type=note", ["First", "Third"]),
  finds("one status", "status=active", ["First", "Second"]),
  finds("a type and a status", "type=note&status=archived", ["Third"]),
  finds("a type and a status that no record has together", "type=task&status=archived", []),
  finds("a type that no record has", "type=nosuch", []),
  finds("a type in capitals", "type=NOTE", []),
  finds("a type with a space behind it", "type=note%20", []),
  finds("an empty type", "type=", []),
  finds("a status that there is not", "status=deleted", []),
  finds("an empty status", "status=", []),
  finds("an emoji as the type", "type=%F0%9F%98%80", []),
  finds("a type over its limit", `type=${"x".repeat(65)}`, []),
];

const searches: Scenario[] = [
  finds("a word of the name", "q=second", ["Second"]),
  finds("a word of a field's value", "q=red", ["First", "Second"]),
  finds("two words", "q=dark+RED", ["Second"]),
  finds("a space as %20", "q=dark%20red", ["Second"]),
  finds("a word and a type", "q=red&type=note", ["First"]),
  finds("a word and a status", "q=t&status=archived", ["Third"]),
  finds("a field's key, which is not searched", "q=colour", []),
  finds("a tag, which is not searched", "q=c", []),
  finds("nothing to search for", "q=", []),
  finds("a search without a word", "q=%2A%25%26", []),
  finds("the name of a deleted record", "q=gone", []),
  finds("the name of another workspace's record", "q=theirs", []),
];

const orders: Scenario[] = [
  finds("the latest first", "order=desc", ["Third", "Second", "First"]),
  finds("by name downwards", "sort=name&order=desc", ["Third", "Second", "First"]),
  finds("by type", "sort=type", ["First", "Third", "Second"]),
  finds("by status downwards", "sort=status&order=desc", ["Third", "Second", "First"]),
  finds("by time of update", "sort=updated_at", ["First", "Second", "Third"]),
  finds("by id", "sort=id&order=asc", ["First", "Second", "Third"]),
  finds("by time of creation, which is the default", "sort=created_at", ["First", "Second", "Third"]),
];

const pages: Scenario[] = [
  finds("the first of three pages", "per_page=1", ["First"], { per_page: 1, total: 3, next_cursor: "some" }),
  finds("the last of three pages", "per_page=1&page=3", ["Third"], { page: 3, per_page: 1, total: 3 }),
  finds("a page behind the last", "page=2", [], { page: 2, total: 3 }),
  finds("a page that is just full", "per_page=3", ["First", "Second", "Third"], { per_page: 3 }),
  finds("100 a page", "per_page=100", ["First", "Second", "Third"], { per_page: 100 }),
  finds("101 a page, served as 100", "per_page=101", ["First", "Second", "Third"], { per_page: 100 }),
  finds("very many a page", "per_page=999999999999999", ["First", "Second", "Third"], { per_page: 100 }),
  finds("the deepest page of 100", "page=1000&per_page=100", [], { page: 1_000, per_page: 100, total: 3 }),
  finds("the deepest page of 101", "page=1000&per_page=101", [], { page: 1_000, per_page: 100, total: 3 }),
  finds("the deepest page of one", "page=100000&per_page=1", [], { page: 100_000, per_page: 1, total: 3 }),
  finds("the deepest page of 20", "page=5000", [], { page: 5_000, total: 3 }),
  finds("an empty parameter list", "&&", ["First", "Second", "Third"]),
];

const cursors: Scenario[] = [
  {
    at,
    why: "a cursor",
    change: { query: "per_page=1" },
    cursorOf: { query: "per_page=1" },
    expected: {
      status: 200,
      shows: ["Second"],
      meta: { page: 2, per_page: 1, total: 3, next_cursor: "some" },
    },
  },
  {
    at,
    why: "a cursor beside a page number, over which it wins",
    change: { query: "per_page=1&page=50000" },
    cursorOf: { query: "per_page=1&page=2" },
    expected: { status: 200, shows: ["Third"], meta: { page: 3, per_page: 1, total: 3 } },
  },
  {
    at,
    why: "a cursor and another number a page",
    change: { query: "per_page=2" },
    cursorOf: { query: "per_page=1" },
    expected: { status: 200, shows: ["Second", "Third"], meta: { page: 2, per_page: 2, total: 3 } },
  },
  {
    at,
    why: "a cursor of a search",
    change: { query: "q=red&per_page=1" },
    cursorOf: { query: "q=red&per_page=1" },
    expected: { status: 200, shows: ["Second"], meta: { page: 2, per_page: 1, total: 2 } },
  },
];

const refused = (why: string, query: string, path: string, says: readonly string[] = []): Scenario => ({
  at,
  why,
  change: { query },
  expected: { status: 400, code: "invalid_request", paths: [path], says },
});

const malformed: Scenario[] = [
  ...["page", "per_page"].flatMap((name) =>
    ["0", "-1", "1.5", "1e2", "abc", "", "%201", "0x10", "Infinity", "true"].map((value) =>
      refused(`${name}=${value}`, `${name}=${value}`, name),
    ),
  ),
  refused("a page of 40 digits", `page=${"9".repeat(40)}`, "page"),
  ...["nosuch", "", "Name", "fields.colour", "created_at,id", "words"].map((value) =>
    refused(`sort=${value}`, `sort=${value}`, "sort", ["created_at"]),
  ),
  ...["up", "", "ASC", "desc%20"].map((value) =>
    refused(`order=${value}`, `order=${value}`, "order", ["asc, desc"]),
  ),
  ...["nosuch", "Page", "perpage", "limit", "__proto__", "constructor", "id", "caller", "workspace_id"].map(
    (name) => refused(`a parameter ${name}`, `${name}=1`, name),
  ),
  ...["type", "status", "page", "per_page", "sort", "order", "q", "cursor"].map((name) =>
    refused(`${name} twice`, `${name}=1&${name}=1`, name, ["repeated"]),
  ),
  ...["type", "status", "q"].flatMap((name) => [
    refused(`${name} with U+0000`, `${name}=a%00`, name),
    refused(`${name} with half of a surrogate pair`, `${name}=%ED%A0%80`, name),
    refused(`${name} that is no UTF-8`, `${name}=%FF`, name),
    refused(`${name} with a broken escape`, `${name}=%4`, name),
  ]),
  refused("a parameter without a name", "=1", ""),
  refused("type as a list", "type[]=note", "type[]"),
];

const tooDeep: Scenario[] = [
  "page=1001&per_page=100",
  "page=1001&per_page=101",
  "page=100001&per_page=1",
  "page=5001",
].map((query) => refused(`${query}, which is too deep`, query, "page", ["100,000", "cursor"]));

const noCursors: readonly string[] = [
  "",
  "nonsense",
  "%00",
  "%F0%9F%98%80",
  Buffer.from("[]").toString("base64url"),
  Buffer.from('{"page":2}').toString("base64url"),
  Buffer.from('[1,"",2,"a","b"]').toString("base64url"),
];

const badCursors: Scenario[] = [
  ...noCursors.map((cursor) => refused(`the cursor ${cursor}, which is none`, `cursor=${cursor}`, "cursor")),
  ...(
    [
      ["another type", "type=note&per_page=1", "per_page=1"],
      ["a type, where none is filtered", "per_page=1", "type=note&per_page=1"],
      ["another status", "status=draft", "status=active&per_page=1"],
      ["another sort", "sort=name&per_page=1", "per_page=1"],
      ["a sort by another kind of value", "sort=updated_at&per_page=1", "sort=name&per_page=1"],
      ["another order", "order=desc&per_page=1", "order=asc&per_page=1"],
      ["a search", "per_page=1", "q=red&per_page=1"],
      ["another search", "q=dark&per_page=1", "q=red&per_page=1"],
    ] as const
  ).map(
    ([why, query, cursorQuery]): Scenario => ({
      ...refused(`a cursor that was made for ${why}`, query, "cursor"),
      cursorOf: { query: cursorQuery },
    }),
  ),
  {
    ...refused("a cursor of another workspace", "per_page=1", "cursor"),
    cursorOf: { query: "per_page=1", side: "foreign" },
  },
];

/** What a list may be asked for, and what not. */
export const listRows: readonly Scenario[] = [
  ...filters,
  ...searches,
  ...orders,
  ...pages,
  ...cursors,
  ...malformed,
  ...tooDeep,
  ...badCursors,
];
