import { readdirSync } from "node:fs";
import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import { eventNames } from "../../../../lib/event-names.ts";
import { findProvider, providers } from "../../../../services/integrations/catalog.ts";
import { createIntegrationSchema } from "../../../../services/integrations/integration.schema.ts";
import { checkConfig } from "../../../../services/integrations/integration-config.ts";
import { sampleConfigs } from "./support/test-integrations.ts";

const folder = path.resolve(import.meta.dirname, "../../../../services/integrations/providers");
const samples = new Map<string, Readonly<Record<string, unknown>>>(Object.entries(sampleConfigs));

describe.each(providers.map((provider) => [provider.type, provider] as const))(
  "the provider %s",
  (type, provider) => {
    const { name, kind, auth, config, credentials } = provider;
    const keys = Object.keys(config.properties);

    test("has a type that an id and a column can hold, and a name for people", () => {
      expect(type).toMatch(/^[a-z][a-z0-9_]{0,31}$/);
      expect(name).toMatch(/^\S(?:.*\S)?$/);
      expect(findProvider(type)).toBe(provider);
    });

    test("is of a kind, and authenticates in a way, that are known", () => {
      expect(["chat", "automation", "code_hosting", "cloud_drive"]).toContain(kind);
      expect(["token", "config", "oauth"]).toContain(auth);
    });

    test("has a closed config, which knows what it requires and seals, within the limit of 20 keys", () => {
      expect(config).toMatchObject({ type: "object", additionalProperties: false });
      expect(keys).toEqual(expect.arrayContaining([...config.required, ...credentials]));
      expect(keys.length).toBeLessThanOrEqual(20);
      // Nobody can give a credential before OAuth was gone through.
      if (auth === "oauth") expect(config.required).toEqual([]);
      else expect(config.required).toEqual(expect.arrayContaining([...credentials]));
    });

    test("takes a config with every key", () => {
      const sample = samples.get(type) ?? {};
      expect(Object.keys(sample).sort()).toEqual(keys.toSorted());
      expect(() => checkConfig(provider, sample)).not.toThrow();
    });

    test("takes a config with what is required alone", () => {
      const sample = Object.entries(samples.get(type) ?? {}).filter(([key]) => config.required.includes(key));
      expect(() => checkConfig(provider, Object.fromEntries(sample))).not.toThrow();
    });

    test.each(keys)("refuses another kind of value for %s, and tells nothing of it", (key) => {
      for (const value of [1, true, null, {}, ["no-such"], [1]]) {
        const refusal = expect.objectContaining({ errorCode: "unprocessable" });
        expect(() => checkConfig(provider, { ...samples.get(type), [key]: value })).toThrow(refusal);
        expect(() => checkConfig(provider, { ...samples.get(type), [key]: value })).toThrow(`config.${key}`);
      }
    });

    test.each(keys)("bounds %s", (key) => {
      const long =
        key === "events" ? Array(21).fill(eventNames[0]) : `https://example.com/${"a".repeat(2_048)}`;
      expect(() => checkConfig(provider, { ...samples.get(type), [key]: long })).toThrow(
        expect.objectContaining({
          errorCode: "invalid_request",
          details: [
            { path: `config.${key}`, message: expect.stringMatching(/^must have at most [\d]+ \w+$/) },
          ],
        }),
      );
    });
  },
);

describe("the catalog", () => {
  test("has the types of the interface, each with its name, and no two alike", () => {
    expect(providers.map(({ type, name, kind, auth }) => [type, name, kind, auth])).toEqual([
      ["discord", "Discord", "chat", "config"],
      ["dropbox", "Dropbox", "cloud_drive", "oauth"],
      ["github", "GitHub", "code_hosting", "oauth"],
      ["gitlab", "GitLab", "code_hosting", "oauth"],
      ["google_drive", "Google Drive", "cloud_drive", "oauth"],
      ["slack", "Slack", "chat", "token"],
      ["zapier", "Zapier", "automation", "config"],
    ]);
    for (const member of ["type", "name"] as const) {
      expect(new Set(providers.map((provider) => provider[member])).size).toBe(providers.length);
    }
  });

  test("has every file of the folder", () => {
    const files = readdirSync(folder).filter((file) => !["index.ts", "provider.ts"].includes(file));
    expect(files.map((file) => file.replace(".ts", "").replaceAll("-", "_")).sort()).toEqual(
      providers.map(({ type }) => type).sort(),
    );
  });

  test("says what is required and what is secret", () => {
    const shown = Object.fromEntries(
      providers.map(({ type, config, credentials }) => [type, [config.required, credentials]]),
    );
    expect(shown).toEqual({
      slack: [["channel", "bot_token"], ["bot_token"]],
      discord: [["webhook_url"], ["webhook_url"]],
      zapier: [["hook_url"], ["hook_url"]],
      github: [[], []],
      gitlab: [[], []],
      google_drive: [[], []],
      dropbox: [[], []],
    });
  });

  test("is what a client may name", () => {
    expect(createIntegrationSchema.properties.type.enum).toEqual(providers.map(({ type }) => type));
    expect(findProvider("nosuch")).toBeUndefined();
  });
});
