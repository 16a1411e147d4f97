import {
  bootstrapKey,
  databaseUrl,
  filePath,
  integer,
  list,
  names,
  natsServers,
  networks,
  oneOf,
  optional,
  origin,
  secret,
  secretKey,
  setting,
  text,
  url,
} from "./setting.ts";

const originOrAll = (entry: string) => (entry === "*" ? entry : origin(entry));

/** Everything that the environment can say, by domain. The README's table is this one. */
export const settings = {
  http: {
    port: setting("PORT", "TCP port of the gateway; 0 takes a free one", integer(0, 65_535), "3000"),
    host: setting("HOST", "Address that the gateway listens on", text, "127.0.0.1"),
    publicUrl: optional(
      "PUBLIC_URL",
      "Origin under which clients reach the gateway; shown in the first curl line",
      origin,
    ),
    corsOrigins: setting(
      "CORS_ORIGINS",
      "Origins whose pages may call the interface, comma separated; `*` for all",
      list(originOrAll),
      "",
    ),
    shutdownTimeoutMs: setting(
      "SHUTDOWN_TIMEOUT_MS",
      "How long a stop waits for requests in flight, in milliseconds",
      integer(0, 600_000),
      "10000",
    ),
  },
  storage: {
    dataDir: setting("DATA_DIR", "Folder of the embedded database", filePath, "./data"),
    databaseUrl: secret(
      "DATABASE_URL",
      "MariaDB or MySQL, as in mysql://user:password@host/name; without it SQLite in DATA_DIR",
      databaseUrl,
    ),
  },
  secrets: {
    secretKey: secret(
      "SECRET_KEY",
      "Key that seals stored secrets, 32 bytes in base64; on SQLite made in DATA_DIR, required with DATABASE_URL",
      secretKey,
    ),
    secretKeyFile: optional("SECRET_KEY_FILE", "File that holds it, in place of SECRET_KEY", filePath),
    secretKeyPrevious: secret(
      "SECRET_KEY_PREVIOUS",
      "Another key that still opens what it sealed, while keys are rotated",
      secretKey,
    ),
  },
  access: {
    bootstrapApiKey: secret(
      "BOOTSTRAP_API_KEY",
      "Key of the first workspace's admin, 20 characters or more; without it one is made and printed",
      bootstrapKey,
    ),
    rateLimitRequests: setting(
      "RATE_LIMIT_REQUESTS",
      "Requests that each key has in a window; 0 for no limit",
      integer(0, 1_000_000_000),
      "6000",
    ),
    rateLimitWindowSeconds: setting(
      "RATE_LIMIT_WINDOW_SECONDS",
      "Length of that window, in seconds",
      integer(1, 86_400),
      "60",
    ),
  },
  webhooks: {
    limit: setting(
      "WEBHOOK_LIMIT",
      "Webhook registrations that a workspace may have",
      integer(0, 100_000),
      "20",
    ),
    timeoutMs: setting(
      "WEBHOOK_TIMEOUT_MS",
      "How long a webhook may take, from name look-up to the answer's end, in milliseconds",
      // Claims of deliveries last longer, and never over 20 seconds.
      integer(100, 12_000),
      "5000",
    ),
    retryBaseMs: setting(
      "WEBHOOK_RETRY_BASE_MS",
      "Wait before the first retry of a delivery, in milliseconds; the next ones are 5 and 25 times as long",
      integer(1, 3_600_000),
      "5000",
    ),
    allowedNetworks: setting(
      "WEBHOOK_ALLOWED_NETWORKS",
      "Networks in CIDR notation, comma separated, that requests to users' addresses may reach although they are private",
      networks,
      "",
    ),
  },
  senders: {
    slackApiUrl: setting(
      "SLACK_API_URL",
      "Where Slack's interface is; not vetted, and may be plain http",
      url(["https:", "http:"]),
      "https://slack.com/api",
    ),
    smtpUrl: secret(
      "SMTP_URL",
      "Mail server, as in smtp://user:password@host:587; without it mail is written to DATA_DIR/mail",
      url(["smtp:", "smtps:"]),
    ),
    mailFrom: setting(
      "MAIL_FROM",
      "Sender of the service's mail",
      text,
      "Workspace Data Service <no-reply@localhost>",
    ),
  },
  node: {
    transporter: secret(
      "TRANSPORTER",
      "NATS server that connects this process with others, as in nats://user:password@host:4222; none without it",
      natsServers,
    ),
    services: optional("SERVICES", "Services that this process runs, comma separated; all without it", names),
    logLevel: setting(
      "LOG_LEVEL",
      "Least severity that is logged: fatal, error, warn, info, debug or trace",
      oneOf(["fatal", "error", "warn", "info", "debug", "trace"]),
      "info",
    ),
  },
} as const;
