import { newUser } from "../support/endpoints.ts";
import type { Scenario } from "../support/scenario.ts";
import { blanks, type Fault, faultRow, keptTexts, letters, noStrings, notStorable, shown } from "./faults.ts";
import { user } from "./usual.ts";

const at = "POST /v1/users";

const without = (...members: (keyof typeof newUser)[]) =>
  Object.fromEntries(Object.entries(newUser).filter(([name]) => !members.some((member) => member === name)));

const members = ["email", "name", "role"] as const;

const missing: Fault[] = [
  ...members.map((member) => ({ why: `no ${member}`, body: without(member), paths: [member] })),
  { why: "neither email nor name", body: without("email", "name"), paths: ["email", "name"] },
  { why: "nothing at all", body: {}, paths: [...members] },
];

const wrong: Fault[] = members.flatMap((member) => [
  ...noStrings.map((value) => ({
    why: `${member} ${shown(value)}`,
    body: { ...newUser, [member]: value },
    paths: [member],
  })),
  ...blanks.map((text) => ({
    why: `${member} ${shown(text)}, which is blank`,
    body: { ...newUser, [member]: text },
    paths: [member],
  })),
  ...notStorable.map((text) => ({
    why: `${member} ${shown(text)}, which cannot be kept`,
    body: { ...newUser, [member]: text },
    paths: [member],
  })),
]);

const label63 = "a".repeat(63);
/** An address of so many characters. */
const longAddress = (length: number) =>
  `${"l".repeat(64)}@${label63}.${label63}.${"c".repeat(length - 64 - 1 - 128)}`;

const noAddresses: readonly string[] = [
  "nobody",
  "@example.com",
  "nobody@",
  "nobody@@example.com",
  "no@body@example.com",
  "no body@example.com",
  " nobody@example.com",
  "nobody@example.com ",
  "nobody@example.com\n",
  "nobody@exa mple.com",
  "nobody@.example.com",
  "nobody@example.com.",
  "nobody@example..com",
  "nobody@-example.com",
  "nobody@example-.com",
  "nobody@exa_mple.com",
  "nobody,other@example.com",
  "a@example.com,b@example.com",
  "a@example.com;b@example.com",
  "Nobody <nobody@example.com>",
  '"no body"@example.com',
  "nobody@[127.0.0.1]",
  "nobody(comment)@example.com",
  "nobody@example.com\r\nBcc: other@example.com",
  "mailto:nobody@example.com?subject=a",
  `${"l".repeat(65)}@example.com`,
  `nobody@${"d".repeat(64)}.com`,
];

const addresses: Fault[] = noAddresses.map((email) => ({
  why: `email ${shown(email)}, which is none`,
  body: { ...newUser, email },
  paths: ["email"],
}));

const roles: Fault[] = ["owner", "Admin", "ADMIN", "admin ", "operator", "__proto__", "viewer,admin"].map(
  (role) => ({
    why: `the role ${shown(role)}`,
    body: { ...newUser, role },
    paths: ["role"],
    says: ["viewer, editor, admin"],
  }),
);

const others: Fault[] = [
  { why: "an id", body: { ...newUser, id: "usr_01JZZZZZZZZZZZZZZZZZZZZZZZ" }, paths: ["id"] },
  { why: "a status", body: { ...newUser, status: "active" }, paths: ["status"] },
  { why: "a password", body: { ...newUser, password: "a" }, paths: ["password"] },
  { why: "an email's key", body: { ...newUser, email_key: "a@example.com" }, paths: ["email_key"] },
  {
    why: "an email that is none and an unknown member",
    body: { ...newUser, email: "nobody", nosuch: 1 },
    paths: ["nosuch"],
  },
  {
    why: "a blank name, an unknown role and an email over its limit",
    body: { email: longAddress(255), name: " ", role: "owner" },
    paths: ["email", "name", "role"],
  },
  {
    why: "an email over its limit",
    body: { ...newUser, email: longAddress(255) },
    paths: ["email"],
    says: ["254"],
  },
  ...letters.map((letter) => ({
    why: `a name of 256 ${letter}`,
    body: { ...newUser, name: letter.repeat(256) },
    paths: ["name"],
    says: ["255"],
  })),
];

const made = (why: string, sent: Partial<typeof newUser> | object): Scenario => ({
  at,
  why,
  change: { body: { ...newUser, ...sent } },
  expected: { status: 201, creates: user({ ...sent }) },
});

const goodAddresses: readonly string[] = [
  "a@b",
  "admin@localhost",
  "First.Last+tag@sub.example.com",
  "!#$%&'*+-/=?^_`{|}~@example.com",
  ".dots..everywhere.@example.com",
  "jörg@müller.example",
  "用户@例子.广告",
  "nobody@xn--mller-kva.example",
  "0@1.2",
  `nobody@${label63}.com`,
  longAddress(254),
];

const kept: Scenario[] = [
  ...["viewer", "editor", "admin"].map((role) => made(`the role ${role}`, { role })),
  ...keptTexts.map(({ why, text }) => made(`a name with ${why}`, { name: text })),
  ...letters.map((letter) => made(`a name of 255 ${letter}`, { name: letter.repeat(255) })),
  ...goodAddresses.map((email) => made(`the email ${shown(email)}`, { email })),
  made("the name and role of another user", { name: "editor", role: "editor" }),
  {
    ...made("the email of a user who is gone, and of another workspace's", { email: "editor@example.com" }),
    given: { gone: ["users"] },
  },
];

const conflict = (why: string, email: string, given?: string): Scenario => ({
  at,
  why,
  given: given === undefined ? undefined : { users: [{ ...newUser, email: given }] },
  change: { body: { ...newUser, email } },
  expected: { status: 409, code: "conflict", paths: ["email"] },
});

const conflicts: Scenario[] = [
  conflict("the email of another user", "editor@example.com"),
  conflict("the email of the one who asks", "admin@example.com"),
  conflict("the email of an inactive user", "idle@example.com"),
  conflict("another user's email in capitals", "EDITOR@EXAMPLE.COM"),
  conflict("another user's email in other case", "eDiToR@eXample.Com"),
  conflict("another user's accents, composed", "r\u00e9mi@example.com", "re\u0301mi@example.com"),
  conflict("another user's accents, decomposed", "re\u0301mi@example.com", "r\u00e9mi@example.com"),
  conflict("another user's accents in capitals", "RE\u0301MI@EXAMPLE.COM", "r\u00e9mi@example.com"),
  conflict("another user's Greek in capitals", "ΩΜΕΓΑ@example.com", "ωμεγα@example.com"),
  made("an email that differs by an accent", { email: "editör@example.com" }),
  made("an email that differs by a dot", { email: "edit.or@example.com" }),
];

/** What can be wrong with a new user, and what is kept. */
export const userCreationRows: readonly Scenario[] = [
  ...[...missing, ...wrong, ...addresses, ...roles, ...others].map((fault) => faultRow(at, fault)),
  ...kept,
  ...conflicts,
];
