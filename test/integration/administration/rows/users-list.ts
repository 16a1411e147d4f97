import type { Scenario, Success } from "../support/scenario.ts";
import { everybody } from "./usual.ts";

const at = "GET /v1/users";

const finds = (why: string, query: string, shows: readonly string[], meta?: Success["meta"]): Scenario => ({
  at,
  why,
  change: { query },
  expected: { status: 200, shows, meta },
});

const filters: Scenario[] = [
  finds("one role", "role=admin", ["admin", "Idle"]),
  finds("one status", "status=active", ["viewer", "editor", "admin"]),
  finds("a role and a status", "role=admin&status=inactive", ["Idle"]),
  finds("a role and a status that nobody has together", "role=viewer&status=inactive", []),
];

const searches: Scenario[] = [
  finds("a name", "q=idle", ["Idle"]),
  finds("the beginning of a name", "q=edit", ["editor"]),
  finds("a name in capitals, with an accent", "q=%C3%89DITOR", ["editor"]),
  finds("a word of everybody's address", "q=example", everybody),
  finds("an address", "q=viewer@example.com", ["viewer"]),
  finds("two words", "q=com+adm", ["admin"]),
  finds("a word and a role", "q=example&role=viewer", ["viewer"]),
  finds("a word and a status", "q=example&status=inactive", ["Idle"]),
  finds("a status, which is not searched", "q=inactive", []),
  finds("nothing to search for", "q=", []),
  finds("a search without a word", "q=%2A%25%26", []),
  { ...finds("the name of a user who is gone", "q=editor", []), given: { gone: ["users"] } },
];

const backwards = everybody.toReversed();
const byName = ["Idle", "admin", "editor", "viewer"];
const byAddress = ["admin", "editor", "Idle", "viewer"];

const orders: Scenario[] = [
  finds("the latest first", "order=desc", backwards),
  finds("by name", "sort=name", byName),
  finds("by name downwards", "sort=name&order=desc", byName.toReversed()),
  finds("by email", "sort=email", byAddress),
  finds("by role", "sort=role", ["admin", "Idle", "editor", "viewer"]),
  finds("by status downwards", "sort=status&order=desc", ["Idle", "admin", "editor", "viewer"]),
  finds("by time of update", "sort=updated_at&status=active&role=viewer", ["viewer"]),
  finds("by id", "sort=id&order=asc", everybody),
  finds("by time of creation, which is the default", "sort=created_at", everybody),
];

const pages: Scenario[] = [
  finds("the first of four pages", "per_page=1", ["viewer"], { per_page: 1, total: 4, next_cursor: "some" }),
  finds("the last of four pages", "per_page=1&page=4", ["Idle"], { page: 4, per_page: 1, total: 4 }),
  finds("a page behind the last", "page=2", [], { page: 2, total: 4 }),
  finds("a page that is just full", "per_page=4", everybody, { per_page: 4 }),
  finds("100 a page", "per_page=100", everybody, { per_page: 100 }),
  finds("101 a page, served as 100", "per_page=101", everybody, { per_page: 100 }),
  finds("very many a page", "per_page=999999999999999", everybody, { per_page: 100 }),
  finds("the deepest page of 101", "page=1000&per_page=101", [], { page: 1_000, per_page: 100, total: 4 }),
  finds("the deepest page of 20", "page=5000", [], { page: 5_000, total: 4 }),
];

const after = (why: string, query: string, cursorQuery: string, expected: Success): Scenario => ({
  at,
  why,
  change: { query },
  cursorOf: { query: cursorQuery },
  expected,
});

const cursors: Scenario[] = [
  after("a cursor", "per_page=1", "per_page=1", {
    status: 200,
    shows: ["editor"],
    meta: { page: 2, per_page: 1, total: 4, next_cursor: "some" },
  }),
  after("a cursor beside a page number, over which it wins", "per_page=1&page=50000", "per_page=1&page=3", {
    status: 200,
    shows: ["Idle"],
    meta: { page: 4, per_page: 1, total: 4 },
  }),
  after("a cursor of a search", "q=example&role=admin&per_page=1", "q=example&role=admin&per_page=1", {
    status: 200,
    shows: ["Idle"],
    meta: { page: 2, per_page: 1, total: 2 },
  }),
  after("a cursor by name", "sort=name&per_page=2", "sort=name&per_page=2", {
    status: 200,
    shows: ["editor", "viewer"],
    meta: { page: 2, per_page: 2, total: 4 },
  }),
];

const refused = (why: string, query: string, path: string, says: readonly string[] = []): Scenario => ({
  at,
  why,
  change: { query },
  expected: { status: 400, code: "invalid_request", paths: [path], says },
});

/** Closed lists of values: another one is not understood. */
const unknownValues: Scenario[] = (
  [
    ["role", "viewer, editor, admin"],
    ["status", "active, inactive"],
  ] as const
).flatMap(([name, says]) =>
  ["nosuch", "", "Admin", "ACTIVE", "admin%20", "active,inactive", "__proto__"].map(
    (value): Scenario => ({
      at,
      why: `${name}=${value}`,
      change: { query: `${name}=${value}` },
      expected: { status: 422, code: "unprocessable", paths: [name], says: [says] },
    }),
  ),
);

const malformed: Scenario[] = [
  ...["page", "per_page"].flatMap((name) =>
    ["0", "-1", "1.5", "1e2", "abc", "", "%201", "0x10", "true"].map((value) =>
      refused(`${name}=${value}`, `${name}=${value}`, name),
    ),
  ),
  refused("a page of 40 digits", `page=${"9".repeat(40)}`, "page"),
  ...["nosuch", "", "Name", "email_key", "words", "name,id"].map((value) =>
    refused(`sort=${value}`, `sort=${value}`, "sort", ["created_at"]),
  ),
  ...["up", "", "ASC", "desc%20"].map((value) =>
    refused(`order=${value}`, `order=${value}`, "order", ["asc, desc"]),
  ),
  ...[
    "nosuch",
    "Role",
    "email",
    "name",
    "type",
    "__proto__",
    "constructor",
    "id",
    "caller",
    "workspace_id",
  ].map((name) => refused(`a parameter ${name}`, `${name}=1`, name)),
  ...["role", "status", "page", "per_page", "sort", "order", "q", "cursor"].map((name) =>
    refused(`${name} twice`, `${name}=1&${name}=1`, name, ["repeated"]),
  ),
  ...["role", "status", "q"].flatMap((name) => [
    refused(`${name} with U+0000`, `${name}=a%00`, name),
    refused(`${name} with half of a surrogate pair`, `${name}=%ED%A0%80`, name),
    refused(`${name} that is no UTF-8`, `${name}=%FF`, name),
    refused(`${name} with a broken escape`, `${name}=%4`, name),
  ]),
  refused("an unknown role and a page that is none", "role=nosuch&page=0", "page"),
  ...["page=1001&per_page=100", "page=100001&per_page=1", "page=5001"].map((query) =>
    refused(`${query}, which is too deep`, query, "page", ["100,000", "cursor"]),
  ),
];

const badCursor = (why: string, query: string, cursorOf: Scenario["cursorOf"]): Scenario => ({
  ...refused(why, query, "cursor"),
  cursorOf,
});

const badCursors: Scenario[] = [
  ...["", "nonsense", "%00", "%F0%9F%98%80", Buffer.from("[]").toString("base64url")].map((cursor) =>
    refused(`the cursor ${cursor}, which is none`, `cursor=${cursor}`, "cursor"),
  ),
  badCursor("a cursor that was made for another role", "role=viewer", { query: "role=admin&per_page=1" }),
  badCursor("a cursor that was made for a role, where none is filtered", "per_page=1", {
    query: "role=admin&per_page=1",
  }),
  badCursor("a cursor that was made for another status", "per_page=1", { query: "status=active&per_page=1" }),
  badCursor("a cursor that was made for another sort", "sort=name", { query: "sort=email&per_page=1" }),
  badCursor("a cursor that was made for another order", "order=desc", { query: "per_page=1" }),
  badCursor("a cursor that was made for a search", "per_page=1", { query: "q=example&per_page=1" }),
  badCursor("a cursor of another workspace", "per_page=1", { query: "per_page=1", side: "foreign" }),
  {
    ...badCursor("a cursor of the list of records", "per_page=1", { path: "/v1/data", query: "per_page=1" }),
    given: {
      records: [
        { name: "A", type: "a" },
        { name: "B", type: "a" },
      ],
    },
  },
];

/** What a list of users may be asked for, and what not. */
export const userListRows: readonly Scenario[] = [
  ...filters,
  ...searches,
  ...orders,
  ...pages,
  ...cursors,
  ...unknownValues,
  ...malformed,
  ...badCursors,
];
