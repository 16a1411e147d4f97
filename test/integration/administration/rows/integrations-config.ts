import type { Scenario } from "../support/scenario.ts";
import { SECRET } from "../support/world.ts";
import { type Fault, faultRow, noStrings, notStorable, shown } from "./faults.ts";

type Config = Readonly<Record<string, unknown>>;

/** A type of integration as the interface describes it. */
interface Provider {
  readonly type: string;
  /** A config with every key, credentials included. */
  readonly full: Config;
  readonly required: readonly string[];
  readonly urls: readonly string[];
  readonly texts: readonly string[];
  /** The keys whose text has a limit, and how many characters it is. */
  readonly limits: Readonly<Record<string, number>>;
}

const events = ["record.created", "integration.disconnected"];
const hook = `https://hooks.example.com/1/${SECRET}`;

export const chatLike: readonly Provider[] = [
  {
    type: "slack",
    full: { channel: "#ops", bot_token: `xoxb-${SECRET}-2`, events },
    required: ["channel", "bot_token"],
    urls: [],
    texts: ["channel", "bot_token"],
    limits: { channel: 255, bot_token: 1_024 },
  },
  {
    type: "discord",
    full: { webhook_url: hook, events },
    required: ["webhook_url"],
    urls: ["webhook_url"],
    texts: [],
    limits: { webhook_url: 2_048 },
  },
  {
    type: "zapier",
    full: { hook_url: hook, events },
    required: ["hook_url"],
    urls: ["hook_url"],
    texts: [],
    limits: { hook_url: 2_048 },
  },
];

/** Types whose config is optional settings, until they are authorized. */
export const oauthLike: readonly Provider[] = [
  {
    type: "github",
    full: { repository: "a/b", organization: "a", branch: "main" },
    required: [],
    urls: [],
    texts: ["repository", "organization", "branch"],
    limits: { repository: 255, organization: 255, branch: 255 },
  },
  {
    type: "gitlab",
    full: { repository: "a/b", organization: "a", branch: "main" },
    required: [],
    urls: [],
    texts: ["repository", "organization", "branch"],
    limits: { repository: 255, organization: 255, branch: 255 },
  },
  {
    type: "google_drive",
    full: { folder: "/a" },
    required: [],
    urls: [],
    texts: ["folder"],
    limits: { folder: 1_024 },
  },
  {
    type: "dropbox",
    full: { folder: "/a" },
    required: [],
    urls: [],
    texts: ["folder"],
    limits: { folder: 1_024 },
  },
];

export const without = (config: Config, key: string) =>
  Object.fromEntries(Object.entries(config).filter(([name]) => name !== key));

/** A value of so many characters: a URL where the key is of one. */
export const ofLength = (key: string, length: number) =>
  (key.endsWith("_url") ? "https://hooks.example.com/" : "").padEnd(length, "x");

interface ConfigFault {
  readonly why: string;
  readonly config: Config;
  readonly paths: readonly string[];
  readonly status?: 400 | 422;
  readonly says?: readonly string[];
}

const noUrls: readonly unknown[] = [
  "",
  " ",
  "nonsense",
  "http://hooks.example.com/1",
  "ftp://hooks.example.com/1",
  "javascript:alert(1)",
  "//hooks.example.com/1",
  "https://",
  "https:///1",
  "https://user:password@hooks.example.com/1",
  "https://user@hooks.example.com/1",
  "https://hooks.example.com:99999/1",
  "https://exa mple.com/1",
  " https://hooks.example.com/1",
  "https://hooks.example.com/1\n",
  "https://hooks.example.com\\1",
];

const keysOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`key ${at}`, "a"]));

/** What is wrong with a config that is otherwise whole. */
function configFaults({ full, urls, texts, limits }: Provider): ConfigFault[] {
  const wrong = (key: string, value: unknown, more: Partial<ConfigFault> = {}): ConfigFault => ({
    why: `${key} ${shown(value)}`,
    config: { ...full, [key]: value },
    paths: [`config.${key}`],
    status: 422,
    ...more,
  });
  return [
    ...[...urls, ...texts].flatMap((key) => [
      ...noStrings.map((value) => wrong(key, value)),
      ...notStorable.map((text) => wrong(key, text, { status: 400 })),
    ]),
    ...texts.flatMap((key) => ["", " ", "\u3000"].map((value) => wrong(key, value))),
    ...urls.flatMap((key) => noUrls.map((value) => wrong(key, value))),
    ...Object.entries(limits).map(([key, limit]) =>
      wrong(key, ofLength(key, limit + 1), {
        why: `${key} of ${limit + 1} characters`,
        status: 400,
        says: [String(limit)],
      }),
    ),
    wrong("nosuch", "a"),
    wrong("__proto__x", "a"),
    wrong("0", "a"),
    wrong("status", "connected"),
    wrong("access_token", "a"),
    {
      why: "20 keys, of which most are unknown",
      config: { ...full, ...keysOf(20 - Object.keys(full).length) },
      paths: Object.keys(keysOf(20 - Object.keys(full).length)).map((key) => `config.${key}`),
      status: 422,
    },
    {
      why: "21 keys",
      config: { ...full, ...keysOf(21 - Object.keys(full).length) },
      paths: ["config"],
      status: 400,
      says: ["20"],
    },
  ];
}

/** What is wrong with the `events` of a type that has them. */
function eventFaults({ full }: Provider): ConfigFault[] {
  if (!("events" in full)) {
    return [{ why: "events", config: { ...full, events: [] }, paths: ["config.events"], status: 422 }];
  }
  return [
    {
      why: "21 events",
      config: { ...full, events: Array(21).fill("record.created") },
      paths: ["config.events"],
      status: 400,
      says: ["20"],
    },
    ...["record.created", 5, null, true, {}].map((value) => ({
      why: `events ${shown(value)}`,
      config: { ...full, events: value },
      paths: ["config.events"],
      status: 422 as const,
    })),
    ...[
      "nosuch",
      "",
      "*",
      "record.*",
      "Record.created",
      "record.created ",
      "webhook.validation",
      "__proto__",
    ].map((name) => ({
      why: `the event ${shown(name)}`,
      config: { ...full, events: ["record.updated", name] },
      paths: ["config.events.1"],
      status: 422 as const,
    })),
    ...[5, null, true, {}, []].map((value) => ({
      why: `${shown(value)} among the events`,
      config: { ...full, events: [value, "record.updated"] },
      paths: ["config.events.0"],
      status: 422 as const,
    })),
  ];
}

const faultsOf = (provider: Provider) => [...configFaults(provider), ...eventFaults(provider)];

const missing = ({ full, required }: Provider): ConfigFault[] => [
  ...required.flatMap((key) => [
    { why: `no ${key}`, config: without(full, key), paths: [`config.${key}`], status: 422 as const },
  ]),
  ...(required.length > 1
    ? [
        {
          why: "none of its keys",
          config: {},
          paths: required.map((key) => `config.${key}`),
          status: 422 as const,
        },
      ]
    : []),
];

const created = [...chatLike, ...oauthLike].flatMap((provider) =>
  [...missing(provider), ...faultsOf(provider)].map(({ why, config, ...rest }): Scenario => {
    const fault: Fault = { why: `${provider.type}, ${why}`, body: { type: provider.type, config }, ...rest };
    return faultRow("POST /v1/integrations", fault);
  }),
);

/** The home workspace's chat and its pending code hosting: a patch is judged by what it patches. */
const patched = (["slack", "github"] as const).flatMap((type) => {
  const provider = [...chatLike, ...oauthLike].find((candidate) => candidate.type === type);
  return (provider ? faultsOf(provider) : []).map(({ why, config, ...rest }): Scenario => {
    const row = faultRow("PATCH /v1/integrations/:id", { why: `${type}, ${why}`, body: { config }, ...rest });
    return type === "slack" ? row : { ...row, change: ({ pending }) => ({ id: pending, body: { config } }) };
  });
});

/** Which configs each type refuses, at its connection and later. */
export const integrationConfigRows: readonly Scenario[] = [...created, ...patched];
