import type { Scenario } from "../support/scenario.ts";
import type { World } from "../support/world.ts";
import { blanks, type Fault, faultRow, keptTexts, letters, noStrings, notStorable, shown } from "./faults.ts";

const at = "PATCH /v1/users/:id";

const members = ["name", "role", "status"] as const;
const values = { role: "viewer, editor, admin", status: "active, inactive" };

const wrong: Fault[] = members.flatMap((member) => [
  ...noStrings.map((value) => ({
    why: `${member} ${shown(value)}`,
    body: { [member]: value },
    paths: [member],
  })),
  ...notStorable.map((text) => ({
    why: `${member} ${shown(text)}, which cannot be kept`,
    body: { [member]: text },
    paths: [member],
    says: ["U+0000"],
  })),
]);

const meaningless: Fault[] = [
  ...blanks.map(
    (name): Fault => ({
      why: `name ${shown(name)}, which is blank`,
      body: { name },
      paths: ["name"],
      status: 422,
    }),
  ),
  ...(["role", "status"] as const).flatMap((member) =>
    ["owner", "", " ", "Admin", "Active", "active ", "deleted", "invited", "__proto__"].map(
      (value): Fault => ({
        why: `the ${member} ${shown(value)}`,
        body: { [member]: value },
        paths: [member],
        status: 422,
        says: [values[member]],
      }),
    ),
  ),
  { why: "a role as the status", body: { status: "admin" }, paths: ["status"], status: 422 },
  {
    why: "a blank name, an unknown role and an unknown status",
    body: { name: "", role: "owner", status: "gone" },
    paths: ["name", "role", "status"],
    status: 422,
  },
  {
    why: "a known role and an unknown status",
    body: { role: "viewer", status: "x" },
    paths: ["status"],
    status: 422,
  },
];

const others: Fault[] = [
  { why: "an email, which cannot be changed", body: { email: "new@example.com" }, paths: ["email"] },
  { why: "the email that they have", body: { email: "editor@example.com" }, paths: ["email"] },
  { why: "an id", body: { id: "usr_01JZZZZZZZZZZZZZZZZZZZZZZZ" }, paths: ["id"] },
  { why: "their own id", body: ({ own }: World) => ({ id: own.users }), paths: ["id"] },
  { why: "times", body: { updated_at: "2026-01-01T00:00:00.000Z" }, paths: ["updated_at"] },
  { why: "a blank name and an unknown member", body: { name: "", nosuch: 1 }, paths: ["nosuch"] },
  { why: "an unknown role and a wrong type", body: { role: "owner", name: 5 }, paths: ["name"] },
  ...letters.map((letter) => ({
    why: `a name of 256 ${letter}`,
    body: { name: letter.repeat(256) },
    paths: ["name"],
    says: ["255"],
  })),
];

const changed = (why: string, body: Readonly<Record<string, unknown>>): Scenario => ({
  at,
  why,
  change: { body },
  expected: { status: 200, updates: body },
});

const kept: Scenario[] = [
  { at, why: "an empty object, which changes nothing", change: { body: {} }, expected: { status: 200 } },
  ...keptTexts.map(({ why, text }) => changed(`a name with ${why}`, { name: text })),
  ...letters.map((letter) => changed(`a name of 255 ${letter}`, { name: letter.repeat(255) })),
  ...["viewer", "editor", "admin"].map((role) => changed(`the role ${role}`, { role })),
  ...["active", "inactive"].map((status) => changed(`the status ${status}`, { status })),
  changed("everything at once", { name: "B", role: "admin", status: "inactive" }),
];

/** The home workspace has one active admin, and one who is inactive. */
const lastAdmin: Scenario[] = [
  ...[
    { why: "the last active admin made editor", body: { role: "editor" } },
    { why: "the last active admin made viewer", body: { role: "viewer", name: "Demoted" } },
    { why: "the last active admin made inactive", body: { status: "inactive" } },
    { why: "the last active admin made inactive and viewer", body: { status: "inactive", role: "viewer" } },
  ].map(
    ({ why, body }): Scenario => ({
      at,
      why,
      change: ({ home }) => ({ id: home.users.admin, body }),
      expected: { status: 409, code: "conflict", says: ["last active admin"] },
    }),
  ),
  {
    at: "DELETE /v1/users/:id",
    why: "the last active admin",
    change: ({ home }) => ({ id: home.users.admin }),
    expected: { status: 409, code: "conflict", says: ["last active admin"] },
  },
  ...[
    { why: "a name for the last active admin", body: { name: "Chief" } },
    { why: "the role that the last active admin has", body: { role: "admin" } },
    { why: "the status that the last active admin has", body: { status: "active" } },
  ].map(
    ({ why, body }): Scenario => ({
      at,
      why,
      change: ({ home }) => ({ id: home.users.admin, body }),
      expected: { status: 200, updates: body },
    }),
  ),
];

const second = { email: "second@example.com", name: "Second", role: "admin" } as const;

/** Where another admin is active, each of them may go, the one who asks too. */
const oneOfTwo: Scenario[] = [
  ...[{ role: "viewer" }, { status: "inactive" }].map(
    (body): Scenario => ({
      at,
      why: `one of two active admins made ${Object.values(body)}`,
      given: { users: [second] },
      change: ({ home }) => ({ id: home.users.admin, body }),
      expected: { status: 200, updates: body },
    }),
  ),
  {
    at: "DELETE /v1/users/:id",
    why: "one of two active admins",
    given: { users: [second] },
    change: ({ home }) => ({ id: home.users.admin }),
    expected: { status: 204, removes: true },
  },
  {
    at: "DELETE /v1/users/:id",
    why: "the other of two active admins",
    given: { users: [second] },
    change: ({ given: [id = ""] }) => ({ id }),
    expected: { status: 204, removes: true },
  },
  {
    at: "DELETE /v1/users/:id",
    why: "an inactive admin beside the last active one",
    change: ({ idle }) => ({ id: idle }),
    expected: { status: 204, removes: true },
  },
  {
    at,
    why: "an inactive admin made viewer",
    change: ({ idle }) => ({ id: idle, body: { role: "viewer" } }),
    expected: { status: 200, updates: { role: "viewer" } },
  },
  {
    at,
    why: "an inactive admin made active",
    change: ({ idle }) => ({ id: idle, body: { status: "active" } }),
    expected: { status: 200, updates: { status: "active" } },
  },
];

/** What can be wrong with a change of a user, and what is kept. */
export const userChangeRows: readonly Scenario[] = [
  ...[...wrong, ...meaningless, ...others].map((fault) => faultRow(at, fault)),
  ...kept,
  ...lastAdmin,
  ...oneOfTwo,
];
