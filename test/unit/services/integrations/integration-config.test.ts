import { describe, expect, test } from "@jest/globals";
import { eventNames } from "../../../../lib/event-names.ts";
import { parseOrdered } from "../../../../lib/ordered-json.ts";
import {
  checkConfig,
  checkConfigPatch,
  splitConfig,
} from "../../../../services/integrations/integration-config.ts";
import { discord } from "../../../../services/integrations/providers/discord.ts";
import { github } from "../../../../services/integrations/providers/github.ts";
import type { Provider } from "../../../../services/integrations/providers/provider.ts";
import { slack } from "../../../../services/integrations/providers/slack.ts";
import { zapier } from "../../../../services/integrations/providers/zapier.ts";
import { SECRET, sampleConfigs } from "./support/test-integrations.ts";

interface Refusal {
  readonly code: number;
  readonly paths: string[];
  readonly text: string;
}

/** What a check says of the config: undefined where it is valid. */
function refusalOf(check: typeof checkConfig, provider: Provider, config: object): Refusal | undefined {
  try {
    check(provider, { ...config });
    return undefined;
  } catch (error) {
    if (!(error instanceof Error && "code" in error && "details" in error)) throw error;
    const details = Array.isArray(error.details) ? error.details : [];
    const paths = details.map(({ path }: { path: string }) => path);
    return {
      code: Number(error.code),
      paths: [...new Set(paths)],
      text: JSON.stringify([error.message, details]),
    };
  }
}

const { slack: slackConfig, discord: discordConfig, zapier: zapierConfig } = sampleConfigs;
const longUrl = (length: number) => `https://example.com/${"a".repeat(length - 20)}`;

/** What is wrong in a config, and the members at fault. */
const semantic: [string, Provider, object, string[]][] = [
  ["without what is required", slack, {}, ["config.channel", "config.bot_token"]],
  ["without its channel", slack, { bot_token: "xoxb-1" }, ["config.channel"]],
  ["without its URL", discord, { events: [] }, ["config.webhook_url"]],
  ["without its hook", zapier, {}, ["config.hook_url"]],
  ["with an unknown key", slack, { ...slackConfig, color: "red" }, ["config.color"]],
  [
    "with a key of another type",
    zapier,
    { ...zapierConfig, webhook_url: "https://a.example" },
    ["config.webhook_url"],
  ],
  ["with events, by OAuth", github, { events: ["record.created"] }, ["config.events"]],
  ["with a delicate key", slack, { ...slackConfig, ...parseOrdered<object>('{"10":1}') }, ["config.10"]],
  ["with an empty key", slack, { ...slackConfig, "": "x" }, ["config."]],
  ["with a number", slack, { ...slackConfig, channel: 1 }, ["config.channel"]],
  ["with null", slack, { ...slackConfig, bot_token: null }, ["config.bot_token"]],
  ["with a blank text", slack, { ...slackConfig, channel: " \t" }, ["config.channel"]],
  ["with an empty text", slack, { ...slackConfig, channel: "" }, ["config.channel"]],
  ["with an empty token", slack, { ...slackConfig, bot_token: "" }, ["config.bot_token"]],
  ["with a token of two lines", slack, { ...slackConfig, bot_token: "xoxb-1\nx: y" }, ["config.bot_token"]],
  ["with a token that has a space", slack, { ...slackConfig, bot_token: "xoxb-1 " }, ["config.bot_token"]],
  ["with an unknown event", slack, { ...slackConfig, events: ["record.renamed"] }, ["config.events.0"]],
  ["with all events by a star", slack, { ...slackConfig, events: ["*"] }, ["config.events.0"]],
  ["with a number among events", slack, { ...slackConfig, events: ["user.invited", 1] }, ["config.events.1"]],
  ["with events that are no list", slack, { ...slackConfig, events: "record.created" }, ["config.events"]],
  ["with a URL that is none", discord, { webhook_url: "discord" }, ["config.webhook_url"]],
  ["with http", discord, { webhook_url: "http://a.example" }, ["config.webhook_url"]],
  ["with a user in the URL", zapier, { hook_url: "https://me:pw@a.example" }, ["config.hook_url"]],
  ["with an empty URL", zapier, { hook_url: "" }, ["config.hook_url"]],
];

describe("a config", () => {
  test.each<[string, Provider, object]>([
    ["the longest channel", slack, { ...slackConfig, channel: "😀".repeat(255) }],
    ["every event", slack, { ...slackConfig, events: eventNames }],
    ["no event", discord, { ...discordConfig, events: [] }],
    ["the longest URL", discord, { webhook_url: longUrl(2_048) }],
    ["nothing, by OAuth", github, {}],
    ["a token with every visible character", slack, { ...slackConfig, bot_token: "xoxb-!~/+=." }],
  ])("may have %s", (_, provider, config) => {
    expect(refusalOf(checkConfig, provider, config)).toBeUndefined();
  });

  test.each(semantic)("%s is 422, and the member is named", (_, provider, config, paths) => {
    expect(refusalOf(checkConfig, provider, config)).toMatchObject({ code: 422, paths });
  });

  test.each<[string, Provider, object, string[]]>([
    ["a channel", slack, { ...slackConfig, channel: "a".repeat(256) }, ["config.channel"]],
    ["a token", slack, { ...slackConfig, bot_token: "a".repeat(1_025) }, ["config.bot_token"]],
    ["a URL", discord, { webhook_url: longUrl(2_049) }, ["config.webhook_url"]],
    ["a list", slack, { ...slackConfig, events: Array(21).fill("user.invited") }, ["config.events"]],
    ["a text with U+0000", slack, { ...slackConfig, channel: "a\u0000" }, ["config.channel"]],
    ["a text with half of a pair", github, { branch: "\ud83d" }, ["config.branch"]],
    ["a URL with half of a pair", zapier, { hook_url: "https://a.example/\ud83d" }, ["config.hook_url"]],
  ])("with %s beyond what can be kept is 400", (_, provider, config, paths) => {
    expect(refusalOf(checkConfig, provider, config)).toMatchObject({ code: 400, paths });
  });

  test("with faults of both kinds is 400 for those that are 400", () => {
    const config = { channel: "a".repeat(256), events: ["nosuch"], color: "red" };
    expect(refusalOf(checkConfig, slack, config)).toMatchObject({ code: 400, paths: ["config.channel"] });
  });

  test("shows none of its values when it is refused", () => {
    for (const [, provider, config] of semantic) {
      expect(refusalOf(checkConfig, provider, config)?.text).not.toContain(SECRET);
    }
    const swapped = { channel: "c", bot_token: `${SECRET} ${SECRET}`, events: [SECRET] };
    expect(refusalOf(checkConfig, slack, swapped)?.text).not.toContain(SECRET);
  });

  test("is refused in one clear sentence", () => {
    expect(() => checkConfig(slack, { bot_token: "x" })).toThrow(
      "The request is not valid: config.channel is required.",
    );
  });
});

describe("a patch of a config", () => {
  test.each<[Provider, object]>([
    [slack, {}],
    [slack, { channel: "#other" }],
    [slack, { events: [] }],
    [github, { branch: "main" }],
  ])("need not have all: %#", (provider, patch) => {
    expect(refusalOf(checkConfigPatch, provider, patch)).toBeUndefined();
  });

  test.each(semantic.filter(([what]) => !what.startsWith("without")))(
    "%s is refused as a whole config is",
    (_, provider, patch, paths) => {
      expect(refusalOf(checkConfigPatch, provider, patch)).toMatchObject({ code: 422, paths });
    },
  );
});

test("a config is split in what is shown and what is secret, each in the client's order", () => {
  const { shown, secret } = splitConfig(slack, { events: [], bot_token: "x", channel: "c" });
  expect(Object.entries(shown)).toEqual([
    ["events", []],
    ["channel", "c"],
  ]);
  expect(secret).toEqual({ bot_token: "x" });
});
