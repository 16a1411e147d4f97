import { newEvents } from "../support/endpoints.ts";
import type { Scenario } from "../support/scenario.ts";
import { SECRET, type World } from "../support/world.ts";
import { type Fault, faultRow, noStrings, notStorable, shown } from "./faults.ts";
import { registration } from "./usual.ts";

const at = "POST /v1/webhooks";

const missing: Fault[] = [
  { why: "no url", body: { events: newEvents }, paths: ["url"] },
  { why: "no events", body: ({ hook }: World) => ({ url: hook }), paths: ["events"] },
  { why: "neither url nor events", body: {}, paths: ["url", "events"] },
];

const noUrls: readonly string[] = [
  "",
  " ",
  "nonsense",
  "http://receiver.test/",
  "HTTP://receiver.test/",
  "ftp://receiver.test/",
  "file:///etc/passwd",
  "javascript:alert(1)",
  "data:text/plain,a",
  "//receiver.test/",
  "receiver.test",
  "https:",
  "https://",
  "https:///",
  "https:///path",
  "https:receiver.test",
  "https:/receiver.test",
  "https://?a",
  "https://#a",
  "https://:443/",
  "https://user:password@receiver.test/",
  "https://user@receiver.test/",
  "https://:password@receiver.test/",
  "https://@receiver.test/",
  "https://receiver.test:99999/",
  "https://receiver.test:port/",
  "https://receiver test/",
  "https://receiver.test/a b",
  " https://receiver.test/",
  "https://receiver.test/ ",
  "https://receiver.test/\n",
  "https://receiver.test/\t",
  "https://receiver.test\\@example.com/",
  "https://[::1/",
  "https://[nonsense]/",
  "https://256.256.256.256/",
  "https://%/",
  "https://<receiver>/",
  "https://receiver.test/\u0000",
  "https://receiver.test/\ud800",
];

const wrong: Fault[] = [
  ...[...noStrings, ...noUrls].map((url) => ({
    why: `url ${shown(url)}`,
    body: { url, events: newEvents },
    paths: ["url"],
  })),
  {
    why: "a url of 2,049 characters",
    body: ({ hook }: World) => ({ url: hook.padEnd(2_049, "x"), events: newEvents }),
    paths: ["url"],
    says: ["2048"],
  },
  ...[5, null, true, {}, "*", "record.created"].map((events) => ({
    why: `events ${shown(events)}`,
    body: ({ hook }: World) => ({ url: hook, events }),
    paths: ["events"],
  })),
  {
    why: "an empty list of events",
    body: ({ hook }: World) => ({ url: hook, events: [] }),
    paths: ["events"],
  },
  ...[
    ...noStrings,
    "nosuch",
    "",
    "**",
    "record.*",
    "* ",
    "Record.created",
    "record.created ",
    "webhook.validation",
    "__proto__",
  ].flatMap((event): Fault[] => [
    {
      why: `the event ${shown(event)}`,
      body: ({ hook }: World) => ({ url: hook, events: ["record.created", event] }),
      paths: ["events.1"],
    },
    {
      why: `the event ${shown(event)} beside *`,
      body: ({ hook }: World) => ({ url: hook, events: ["*", event] }),
      paths: ["events.1"],
    },
  ]),
  ...[...noStrings, ...notStorable].map((secret) => ({
    why: `secret ${shown(secret)}`,
    body: ({ hook }: World) => ({ url: hook, events: newEvents, secret }),
    paths: ["secret"],
  })),
  {
    why: "an empty secret",
    body: ({ hook }: World) => ({ url: hook, events: newEvents, secret: "" }),
    paths: ["secret"],
  },
  {
    why: "a secret of 256 characters",
    body: ({ hook }: World) => ({ url: hook, events: newEvents, secret: "s".repeat(256) }),
    paths: ["secret"],
    says: ["255"],
  },
  {
    why: "21 events",
    body: ({ hook }: World) => ({ url: hook, events: Array(21).fill("record.created") }),
    paths: ["events"],
    says: ["20"],
  },
  {
    why: "more events than there are, and one that is none",
    body: ({ hook }: World) => ({ url: hook, events: [...newEvents, "nosuch", "*", "nosuch"] }),
    paths: ["events.2", "events.4"],
  },
  ...["id", "status", "name", "headers", "active"].map((member) => ({
    why: `a member ${member}`,
    body: ({ hook }: World) => ({ url: hook, events: newEvents, [member]: "active" }),
    paths: [member],
  })),
  {
    why: "a bad url, no events and a bad secret",
    body: { url: "http://receiver.test/", secret: 5 },
    paths: ["events", "url", "secret"],
  },
];

const unreachable = (why: string, url: string | ((world: World) => string)): Scenario =>
  faultRow(at, {
    why,
    body: (world) => ({ url: typeof url === "function" ? url(world) : url, events: newEvents }),
    paths: ["url"],
    status: 422,
  });

/** Addresses that are asked, and do not answer as they must. */
const answeredRows: Scenario[] = [
  unreachable("a server that answers 500", ({ hook }) => `${hook}?500`),
  unreachable("a server that answers 404", ({ hook }) => `${hook}?404`),
  unreachable("a server that is elsewhere now", ({ hook }) => `${hook}?307`),
  unreachable("a server that hangs up", ({ hook }) => `${hook}?close`),
];

/** Well-formed addresses to which nothing is sent. */
const refusedAddresses: Scenario[] = [
  unreachable("an address of a private network", "https://10.0.0.1/"),
  unreachable("an address of a cloud's metadata", "https://169.254.169.254/latest/meta-data/"),
  unreachable("a private address in IPv6", "https://[fd00::1]/"),
  unreachable("a private address within an IPv6 one", "https://[::ffff:10.0.0.1]/"),
  unreachable("a private address as one number", "https://167772161/"),
  unreachable("a private address in octal", "https://012.0.0.1/"),
  unreachable("a name that nothing resolves", "https://nosuch.invalid/"),
  unreachable(
    "a port at which nobody listens",
    ({ hook }) => `${new URL(hook).origin.replace(/:\d+$/, ":1")}/`,
  ),
];

const registered = (
  why: string,
  body: (world: World) => Readonly<Record<string, unknown>>,
  creates: (world: World) => Readonly<Record<string, unknown>>,
): Scenario => ({
  at,
  why,
  change: (world) => ({ body: { url: world.hook, events: newEvents, ...body(world) } }),
  expected: { status: 201, creates: (world) => registration(creates(world))(world) },
});

const same = (why: string, sent: (world: World) => Readonly<Record<string, unknown>>) =>
  registered(why, sent, sent);

const kept: Scenario[] = [
  ...[
    ["*"],
    ["record.created"],
    ["user.removed", "record.created"],
    ["record.created", "*"],
    ["*", "record.created", "user.invited"],
    ["record.created", "record.created"],
  ].map((events) => same(`events ${shown(events)}`, () => ({ events }))),
  ...["s", SECRET, " ", "é😀 ", "s".repeat(255)].map((secret) =>
    same(`secret ${secret.length > 20 ? `of ${secret.length} characters` : shown(secret)}`, () => ({
      secret,
    })),
  ),
  same("an event named 20 times", () => ({ events: Array(20).fill("record.created") })),
  same("a query and a fragment", ({ hook }) => ({ url: `${hook}?a=b&c=%20#d` })),
  same("a url in capitals where case does not matter", ({ hook }) => ({
    url: hook.replace("localhost", "LOCALHOST"),
  })),
  same("a url of 2,048 characters", ({ hook }) => ({ url: hook.padEnd(2_048, "x") })),
  same("the url of another registration", () => ({})),
];

const removed: Scenario[] = [
  {
    at: "DELETE /v1/webhooks/:id",
    why: "one whose deliveries are signed",
    change: ({ signed }) => ({ id: signed }),
    expected: { status: 204, removes: true },
  },
];

/** What can be wrong with a registration, and what is kept. */
export const webhookRows: readonly Scenario[] = [
  ...[...missing, ...wrong].map((fault) => faultRow(at, fault)),
  ...refusedAddresses,
  ...answeredRows,
  ...kept,
  ...removed,
];

/** How many of these rows ask the address that is to be registered. */
export const askedCount = (rows: readonly Scenario[]) =>
  rows.filter((row) => answeredRows.includes(row) || (row.at === at && row.expected.status === 201)).length;
