import path from "node:path";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { allSettings, ConfigError, loadConfig, summarizeConfig } from "../../../lib/config.ts";

type Environment = Record<string, string>;

const SECRETS = [
  "DATABASE_URL",
  "SECRET_KEY",
  "SECRET_KEY_PREVIOUS",
  "BOOTSTRAP_API_KEY",
  "SMTP_URL",
  "TRANSPORTER",
];

const KEY = Buffer.from("0123456789abcdef?~\xff\xfe456789abcdef", "latin1");

describe("without an environment", () => {
  test("every setting has the documented default", () => {
    expect(loadConfig({})).toEqual({
      http: {
        port: 3000,
        host: "127.0.0.1",
        publicUrl: undefined,
        corsOrigins: [],
        shutdownTimeoutMs: 10_000,
      },
      storage: { dataDir: path.resolve("data"), databaseUrl: undefined },
      secrets: { secretKey: undefined, secretKeyFile: undefined, secretKeyPrevious: undefined },
      access: { bootstrapApiKey: undefined, rateLimitRequests: 6_000, rateLimitWindowSeconds: 60 },
      webhooks: { limit: 20, timeoutMs: 5_000, retryBaseMs: 5_000, allowedNetworks: [] },
      senders: {
        slackApiUrl: "https://slack.com/api",
        smtpUrl: undefined,
        mailFrom: "Workspace Data Service <no-reply@localhost>",
      },
      node: { transporter: undefined, services: undefined, logLevel: "info" },
    });
  });

  test("an empty variable counts as an absent one", () => {
    const empty = Object.fromEntries(allSettings().map(({ env }) => [env, ""]));
    expect(loadConfig(empty)).toEqual(loadConfig({}));
    expect(summarizeConfig(empty)).toEqual(summarizeConfig({}));
  });

  test("what else the environment has is not looked at", () => {
    expect(loadConfig({ PORTS: "x", port: "y", NODE_ENV: "z" })).toEqual(loadConfig({}));
  });
});

describe("a setting", () => {
  test("has a name of its own and a line of documentation", () => {
    const names = allSettings().map(({ env }) => env);
    expect(new Set(names).size).toBe(names.length);
    for (const { env, doc } of allSettings()) {
      expect(env).toMatch(/^[A-Z][A-Z_]+$/);
      expect(doc).toMatch(/^\S.{10,}\S$/);
    }
  });

  const good: [Environment, unknown][] = [
    [{ PORT: "0" }, { http: { port: 0 } }],
    [{ PORT: "65535" }, { http: { port: 65_535 } }],
    [{ HOST: "::" }, { http: { host: "::" } }],
    [{ PUBLIC_URL: "https://data.example.com/" }, { http: { publicUrl: "https://data.example.com" } }],
    [{ CORS_ORIGINS: "*" }, { http: { corsOrigins: ["*"] } }],
    [
      { CORS_ORIGINS: " https://a.example , http://localhost:8080/,," },
      { http: { corsOrigins: ["https://a.example", "http://localhost:8080"] } },
    ],
    [{ SHUTDOWN_TIMEOUT_MS: "0" }, { http: { shutdownTimeoutMs: 0 } }],
    [{ DATA_DIR: "/var/lib/data" }, { storage: { dataDir: "/var/lib/data" } }],
    [{ DATA_DIR: "here" }, { storage: { dataDir: path.resolve("here") } }],
    [{ DATABASE_URL: "mysql://u:p@db:3306/name" }, { storage: { databaseUrl: "mysql://u:p@db:3306/name" } }],
    [{ DATABASE_URL: "mariadb://u@db/name" }, { storage: { databaseUrl: "mariadb://u@db/name" } }],
    [
      { BOOTSTRAP_API_KEY: "correct horse battery staple" },
      { access: { bootstrapApiKey: "correct horse battery staple" } },
    ],
    [{ BOOTSTRAP_API_KEY: "k".repeat(20) }, { access: { bootstrapApiKey: "k".repeat(20) } }],
    [{ RATE_LIMIT_REQUESTS: "0" }, { access: { rateLimitRequests: 0 } }],
    [{ RATE_LIMIT_WINDOW_SECONDS: "1" }, { access: { rateLimitWindowSeconds: 1 } }],
    [{ SECRET_KEY: KEY.toString("base64") }, { secrets: { secretKey: KEY } }],
    [{ SECRET_KEY: ` ${KEY.toString("base64url")}\n` }, { secrets: { secretKey: KEY } }],
    [{ SECRET_KEY_PREVIOUS: KEY.toString("base64") }, { secrets: { secretKeyPrevious: KEY } }],
    [{ SECRET_KEY_FILE: "secret" }, { secrets: { secretKeyFile: path.resolve("secret") } }],
    [{ WEBHOOK_LIMIT: "0" }, { webhooks: { limit: 0 } }],
    [{ WEBHOOK_TIMEOUT_MS: "100" }, { webhooks: { timeoutMs: 100 } }],
    [
      { WEBHOOK_ALLOWED_NETWORKS: " 10.0.0.0/8, ::1 ,," },
      {
        webhooks: {
          allowedNetworks: [
            { family: 4, first: 0x0a_00_00_00n, last: 0x0a_ff_ff_ffn },
            { family: 6, first: 1n, last: 1n },
          ],
        },
      },
    ],
    [{ TRANSPORTER: "nats://u:p@queue:4222" }, { node: { transporter: "nats://u:p@queue:4222" } }],
    [{ TRANSPORTER: "nats://a,nats://b:4223" }, { node: { transporter: "nats://a,nats://b:4223" } }],
    [{ SERVICES: "records,users" }, { node: { services: ["records", "users"] } }],
    [{ LOG_LEVEL: "trace" }, { node: { logLevel: "trace" } }],
  ];

  test.each(good)("given as %j is %j", (environment, config) => {
    expect(loadConfig(environment)).toMatchObject(config as object);
  });

  const bad: [string, string[], string][] = [
    [
      "PORT",
      ["65536", "-1", "80.5", "http", "1e3", "0x50", " 80", "８０"],
      "must be a whole number from 0 to 65535",
    ],
    [
      "PUBLIC_URL",
      ["data.example.com", "ftp://a.example", "https://"],
      "must be a URL that begins with http:// or https://",
    ],
    [
      "PUBLIC_URL",
      ["https://a.example/v1", "https://a.example/?x=1", "https://user:pw@a.example"],
      "must be an origin, as in https://data.example.com",
    ],
    [
      "CORS_ORIGINS",
      ["https://a.example,b.example", "null"],
      "must be a URL that begins with http:// or https://",
    ],
    ["CORS_ORIGINS", ["https://a.example/app"], "must be an origin, as in https://data.example.com"],
    [
      "SECRET_KEY",
      [
        KEY.subarray(1).toString("base64"),
        Buffer.concat([KEY, KEY]).toString("base64"),
        KEY.toString("hex"),
        "k".repeat(42),
        `${"k".repeat(42)}!`,
      ],
      "must be 32 bytes in base64, as `openssl rand -base64 32` prints them",
    ],
    ["WEBHOOK_LIMIT", ["-1", "100001"], "must be a whole number from 0 to 100000"],
    ["WEBHOOK_RETRY_BASE_MS", ["0", "3600001"], "must be a whole number from 1 to 3600000"],
    [
      "SLACK_API_URL",
      ["slack.com/api", "ftp://slack.com"],
      "must be a URL that begins with https:// or http://",
    ],
    [
      "SMTP_URL",
      ["http://mail.example", "mail.example:25"],
      "must be a URL that begins with smtp:// or smtps://",
    ],
    ["WEBHOOK_TIMEOUT_MS", ["99", "12001"], "must be a whole number from 100 to 12000"],
    ...["10.0.0.0/33", "10.0.0", "localhost", "10.0.0.0/8;::1", "fd00::/129"].map(
      (entry): [string, string[], string] => [
        "WEBHOOK_ALLOWED_NETWORKS",
        [entry, `::1, ${entry}`],
        `has "${entry}", which is not a network as in 10.0.0.0/8 or fd00::/8`,
      ],
    ),
    ["SHUTDOWN_TIMEOUT_MS", ["600001", "10s"], "must be a whole number from 0 to 600000"],
    [
      "DATABASE_URL",
      ["postgres://u:p@db/name", "db/name", "sqlite.db"],
      "must be a URL that begins with mysql:// or mariadb://",
    ],
    [
      "DATABASE_URL",
      ["mysql://u:p@db", "mysql://u:p@db/"],
      "must name a database, as in mysql://user:password@host/name",
    ],
    [
      "BOOTSTRAP_API_KEY",
      ["k".repeat(19), "k".repeat(1_001), ` ${"k".repeat(20)}`, `${"k".repeat(20)} `, "é".repeat(20)],
      "must be 20 to 1,000 ASCII characters, without a space at either end",
    ],
    ["RATE_LIMIT_REQUESTS", ["-1", "many"], "must be a whole number from 0 to 1000000000"],
    ["RATE_LIMIT_WINDOW_SECONDS", ["0", "86401"], "must be a whole number from 1 to 86400"],
    [
      "TRANSPORTER",
      ["nats", "redis://host", "NATS", "nats://a,redis://b", "nats://a,"],
      "must be a URL that begins with nats://",
    ],
    ["TRANSPORTER", ["nats://", "nats:///x"], "must name a host, as in nats://host:4222"],
    ["TRANSPORTER", ["nats://u:a%40b@host"], "must have a user and a password that need no escapes in a URL"],
    [
      "LOG_LEVEL",
      ["verbose", "INFO", "constructor"],
      "must be one of fatal, error, warn, info, debug, trace",
    ],
  ];

  test.each(bad)(
    "%s that is one of %j stops the start with one sentence that names it",
    (env, values, message) => {
      for (const value of values) {
        expect(() => loadConfig({ [env]: value })).toThrow(new ConfigError(`${env} ${message}.`));
      }
    },
  );

  test("is named alone where several are bad: the first of the documentation", () => {
    expect(() => loadConfig({ LOG_LEVEL: "x", PORT: "x" })).toThrow(/^PORT [^.]*\.$/);
  });
});

describe("the summary at start", () => {
  test("has a line for each setting, with its value or default", () => {
    expect(summarizeConfig({ PORT: "8080", CORS_ORIGINS: "*" })).toEqual([
      "PORT=8080",
      "HOST=127.0.0.1",
      "PUBLIC_URL=-",
      "CORS_ORIGINS=*",
      "SHUTDOWN_TIMEOUT_MS=10000",
      "DATA_DIR=./data",
      "DATABASE_URL=-",
      "SECRET_KEY=-",
      "SECRET_KEY_FILE=-",
      "SECRET_KEY_PREVIOUS=-",
      "BOOTSTRAP_API_KEY=-",
      "RATE_LIMIT_REQUESTS=6000",
      "RATE_LIMIT_WINDOW_SECONDS=60",
      "WEBHOOK_LIMIT=20",
      "WEBHOOK_TIMEOUT_MS=5000",
      "WEBHOOK_RETRY_BASE_MS=5000",
      "WEBHOOK_ALLOWED_NETWORKS=-",
      "SLACK_API_URL=https://slack.com/api",
      "SMTP_URL=-",
      "MAIL_FROM=Workspace Data Service <no-reply@localhost>",
      "TRANSPORTER=-",
      "SERVICES=-",
      "LOG_LEVEL=info",
    ]);
  });
});

describe("a secret", () => {
  const secret = fc.stringMatching(/^[!-~]{20,60}$/);

  test("is what carries a password or a key", () => {
    expect(
      allSettings()
        .filter((entry) => entry.secret)
        .map(({ env }) => env),
    ).toEqual(SECRETS);
  });

  test("is in no summary: one sees only that it is set", () => {
    fc.assert(
      fc.property(fc.constantFrom(...SECRETS), secret, (env, value) => {
        const summary = summarizeConfig({ [env]: value });
        expect(summary).toContain(`${env}=set`);
        expect(summary.join("\n")).not.toContain(value);
      }),
    );
  });

  test("is in no error: not even a bad one is repeated", () => {
    const bad = fc.oneof(secret, fc.string({ unit: "binary", minLength: 12 }));
    fc.assert(
      fc.property(fc.constantFrom(...SECRETS), bad, (env, value) => {
        expect(errorOf({ [env]: value })).not.toContain(value);
      }),
    );
  });
});

/** What a bad environment is answered with, all of it; empty for a good one. */
function errorOf(environment: Environment): string {
  try {
    loadConfig(environment);
    return "";
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return error instanceof Error ? `${error.message} ${error.stack} ${String(error.cause)}` : "";
  }
}
