import { newIntegration } from "../support/endpoints.ts";
import type { Scenario } from "../support/scenario.ts";
import { SECRET } from "../support/world.ts";
import { type Fault, faultRow, keptTexts, noStrings, notStorable, shown } from "./faults.ts";
import { chatLike, oauthLike, ofLength, without } from "./integrations-config.ts";
import { chatWith, integration } from "./usual.ts";

const POST = "POST /v1/integrations";
const PATCH = "PATCH /v1/integrations/:id";

const config = newIntegration.config;

const creationFaults: Fault[] = [
  { why: "no type", body: { config }, paths: ["type"] },
  ...[...noStrings, ...notStorable, "", " ", "nosuch", "Slack", "slack ", "constructor", "int_slack"].map(
    (type) => ({ why: `the type ${shown(type)}`, body: { type, config }, paths: ["type"] }),
  ),
  { why: "no config", body: { type: "zapier" }, paths: ["config"] },
  { why: "neither type nor config", body: {}, paths: ["type", "config"] },
  {
    why: "an unknown type and a config that no type has",
    body: { type: "x", config: { a: 1 } },
    paths: ["type"],
  },
  { why: "an unknown type and no config", body: { type: "x" }, paths: ["config", "type"] },
  { why: "no type and no good config", body: { config: [] }, paths: ["type", "config"] },
  ...["name", "connected_at", "credentials", "status", "id"].map((member) => ({
    why: `a member ${member}`,
    body: { ...newIntegration, [member]: "a" },
    paths: [member],
  })),
  {
    why: "a bad config and an unknown member",
    body: { type: "zapier", config: {}, nosuch: 1 },
    paths: ["nosuch"],
  },
];

const noObjects: readonly unknown[] = [5, null, true, "a", [], [{}]];

const configFaults = ([POST, PATCH] as const).flatMap((at) =>
  noObjects.map((value) =>
    faultRow(at, {
      why: `config ${shown(value)}`,
      body: at === POST ? { type: "zapier", config: value } : { config: value },
      paths: ["config"],
    }),
  ),
);

const patchFaults: Fault[] = [
  { why: "no config", body: {}, paths: ["config"] },
  ...["type", "status", "name", "id"].map((member) => ({
    why: `a member ${member}`,
    body: { config: { channel: "#a" }, [member]: "slack" },
    paths: [member],
  })),
  { why: "a bad config and an unknown member", body: { config: { a: 1 }, nosuch: 1 }, paths: ["nosuch"] },
];

/** Credentials are sealed; the rest is kept and shown. */
function split(full: Readonly<Record<string, unknown>>): { config: string; credentials: string | null } {
  const isCredential = (key: string) => ["bot_token", "webhook_url", "hook_url"].includes(key);
  const part = (wanted: boolean) =>
    Object.fromEntries(Object.entries(full).filter(([key]) => isCredential(key) === wanted));
  const secret = part(true);
  return {
    config: JSON.stringify(part(false)),
    credentials: Object.keys(secret).length === 0 ? null : JSON.stringify(secret),
  };
}

const connect = (
  why: string,
  type: string,
  sent: Readonly<Record<string, unknown>>,
  isOauth = false,
): Scenario => ({
  at: POST,
  why: `${type}, ${why}`,
  // The types that the home workspace has already make room.
  given: type === "slack" ? { gone: ["integrations"] } : undefined,
  change: { body: { type, config: sent } },
  expected: {
    status: 201,
    creates: integration({
      type,
      ...split(sent),
      ...(isOauth ? { status: "pending_auth", isConnected: false } : {}),
    }),
  },
});

const connected: Scenario[] = [
  ...chatLike.flatMap(({ type, full, limits }) => [
    ...Object.entries(limits).map(([key, limit]) =>
      connect(`with a ${key} of ${limit} characters`, type, { ...full, [key]: ofLength(key, limit) }),
    ),
    connect("with an event named 20 times", type, { ...full, events: Array(20).fill("record.created") }),
    connect("with all keys", type, full),
    connect("with nothing but what it requires", type, without(full, "events")),
    connect("with its keys the other way round", type, Object.fromEntries(Object.entries(full).toReversed())),
    connect("that hears of no event", type, { ...full, events: [] }),
  ]),
  ...oauthLike
    .filter(({ type }) => type !== "github")
    .flatMap(({ type, full, limits }) => [
      ...Object.entries(limits).map(([key, limit]) =>
        connect(`with a ${key} of ${limit} characters`, type, { [key]: ofLength(key, limit) }, true),
      ),
      connect("with all keys", type, full, true),
      connect("with an empty config", type, {}, true),
    ]),
];

const twice = (why: string, body: object): Scenario => ({
  at: POST,
  why,
  change: { body },
  expected: { status: 409, code: "conflict" },
});

const conflicts: Scenario[] = [
  twice("a type that is connected", { type: "slack", config: { channel: "#b", bot_token: `x-${SECRET}` } }),
  twice("a type that waits for its authorization", { type: "github", config: {} }),
  faultRow(POST, {
    why: "a type that is connected, with a bad config",
    body: { type: "slack", config: { channel: "#b" } },
    paths: ["config.bot_token"],
    status: 422,
  }),
];

const patch = (
  why: string,
  sent: Readonly<Record<string, unknown>>,
  updates?: Readonly<Record<string, unknown>>,
): Scenario => ({
  at: PATCH,
  why,
  change: { body: { config: sent } },
  expected: { status: 200, updates },
});

const newToken = `xoxb-${SECRET}-3`;

const patched: Scenario[] = [
  patch("an empty config, which changes nothing", {}),
  patch(
    "a list of events, which replaces the old one",
    { events: ["user.invited"] },
    {
      config: chatWith({ events: ["user.invited"] }),
    },
  ),
  patch("no event any more", { events: [] }, { config: chatWith({ events: [] }) }),
  patch(
    "a new credential",
    { bot_token: newToken },
    { credentials: JSON.stringify({ bot_token: newToken }) },
  ),
  patch(
    "all keys",
    { events: ["record.deleted"], bot_token: newToken, channel: "#b" },
    {
      config: chatWith({ channel: "#b", events: ["record.deleted"] }),
      credentials: JSON.stringify({ bot_token: newToken }),
    },
  ),
  ...keptTexts.map(({ why, text }) =>
    patch(`a channel with ${why}`, { channel: text }, { config: chatWith({ channel: text }) }),
  ),
  {
    ...patch(
      "a setting of what waits for its authorization",
      {},
      { config: '{"repository":"a/b","branch":"b"}' },
    ),
    change: ({ pending }) => ({ id: pending, body: { config: { branch: "b" } } }),
  },
  {
    ...patch("an empty config for what waits for its authorization", {}),
    change: ({ pending }) => ({ id: pending, body: { config: {} } }),
  },
];

const removed: Scenario[] = [
  {
    at: "DELETE /v1/integrations/:id",
    why: "what waits for its authorization",
    change: ({ pending }) => ({ id: pending }),
    expected: { status: 204, removes: true },
  },
];

/** What can be wrong with an integration as a whole, and what is kept. */
export const integrationRows: readonly Scenario[] = [
  ...creationFaults.map((fault) => faultRow(POST, fault)),
  ...patchFaults.map((fault) => faultRow(PATCH, fault)),
  ...configFaults,
  ...connected,
  ...conflicts,
  ...patched,
  ...removed,
];
