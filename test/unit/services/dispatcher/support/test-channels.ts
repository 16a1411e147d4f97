import type { Database } from "../../../../../db/database.ts";
import { deliveryPayload } from "../../../../../lib/delivery.ts";
import type { EventName } from "../../../../../lib/event-names.ts";
import { newId } from "../../../../../lib/ids.ts";
import { admitKeys } from "../../../../../mixins/known-keys.ts";
import type { ChannelSender, OutgoingDelivery } from "../../../../../services/dispatcher/channels/channel.ts";
import { discordChannel } from "../../../../../services/dispatcher/channels/discord.ts";
import { mailChannel } from "../../../../../services/dispatcher/channels/mail.ts";
import { slackChannel } from "../../../../../services/dispatcher/channels/slack.ts";
import { webhookChannel } from "../../../../../services/dispatcher/channels/webhook.ts";
import { zapierChannel } from "../../../../../services/dispatcher/channels/zapier.ts";
import { OperatorHttp } from "../../../../../services/dispatcher/operator-http.ts";
import { findWebhook } from "../../../../../services/dispatcher/target.repository.ts";
import { startSmtpReceiver } from "../../../../support/smtp-receiver.ts";
import { never, redirect, startReceiver, status } from "../../../../support/tls-receiver.ts";
import { newClient } from "../../../lib/outbound/support/client.ts";
import { newTestIntegrations } from "../../integrations/support/test-integrations.ts";
import { newWebhookWorkspace, testCipher } from "../../webhooks/support/test-webhooks.ts";

/** In every credential and signing secret here, and nowhere else. */
export const SECRET = "very-secret-credential";

/** How a receiver is to take the next request. */
export type Manner =
  | "take"
  | "refuse"
  | "silence"
  /** A refusal of some KiB that repeats whatever credentials came. */
  | "long refusal"
  | "redirect"
  | "retry later";

/** A channel of a test's own with a target, and the receiver that it leads to. */
export interface TestChannel {
  readonly sender: ChannelSender;
  readonly delivery: OutgoingDelivery;
  behave(manner: Manner): void;
  /** Requests or messages that came whole. */
  received(): number;
  /** Connections so far, whatever came on them. */
  connectionCount(): number;
  openConnectionCount(): number;
  /** Removes the target, or takes from it what made it one. */
  removeTarget(): Promise<void>;
  /** Makes the receiver refuse connections. */
  stopReceiver(): Promise<void>;
  close(): Promise<void>;
}

export interface ChannelOptions {
  readonly timeoutMs: number;
}

export type StartChannel = (database: Database, options: ChannelOptions) => Promise<TestChannel>;

/** An attempt at an event that has happened. */
export function deliveryOf(
  event: EventName,
  workspaceId: string,
  targetId: string,
  data: Record<string, unknown> = { id: newId("record"), name: "Q3 plan" },
): OutgoingDelivery {
  const payload = deliveryPayload({ event, occurredAtMs: Date.now(), workspaceId, data });
  return { id: newId("delivery"), workspaceId, event, payload, targetId, attempt: 1 };
}

async function startHttps() {
  const receiver = await startReceiver();
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await receiver.stop();
    isStopped = true;
  };
  const behave = (manner: Manner) => {
    receiver.answer = {
      take: status(200, {}, '{"ok":true}'),
      refuse: status(503, {}, "Not now"),
      silence: never,
      redirect: redirect("https://localhost/elsewhere"),
      "retry later": status(429, { "retry-after": "7" }),
      "long refusal": ((response, { headers, path }) => {
        const repeated = `${path} ${headers.authorization}`;
        response
          .writeHead(400)
          .end(`${repeated} ${"x".repeat(1000 - repeated.length)}${repeated}${"é".repeat(4000)}`);
      }) satisfies typeof never,
    }[manner];
  };
  behave("take");
  return {
    receiver,
    controls: {
      behave,
      received: () => receiver.requests.length,
      connectionCount: receiver.connectionCount,
      openConnectionCount: receiver.openConnectionCount,
      stopReceiver: stop,
    },
    stop,
  };
}

const integrationChannel =
  (
    type: "slack" | "discord" | "zapier",
    configOf: (url: string) => Record<string, unknown>,
    newSender: (database: Database, url: string, timeoutMs: number) => ChannelSender,
  ): StartChannel =>
  async (database, { timeoutMs }) => {
    const { receiver, controls, stop } = await startHttps();
    await admitKeys(database, testCipher);
    const { caller, writer, connect } = await newTestIntegrations(database, testCipher);
    const { id } = await connect(type, {
      ...configOf(receiver.url(`/${SECRET}?key=${SECRET}`)),
      events: ["record.created"],
    });
    const sender = newSender(database, receiver.url("/api"), timeoutMs);
    return {
      ...controls,
      sender,
      delivery: deliveryOf("record.created", caller.workspaceId, id),
      removeTarget: async () => void (await writer.remove(caller, id)),
      close: async () => {
        await sender.close();
        await stop();
      },
    };
  };

const source = ({ read }: Database) => ({ sql: read, cipher: testCipher });

/** Every channel, started alike. */
export const testChannels = {
  webhook: async (database, { timeoutMs }) => {
    const { receiver, controls, stop } = await startHttps();
    const { caller, writer, create } = await newWebhookWorkspace(database);
    const { id } = await create({ url: receiver.url("/hook"), secret: SECRET });
    const sender = webhookChannel({
      client: newClient(),
      cipher: testCipher,
      findWebhook: (target) => findWebhook(database.read, target),
      timeoutMs,
    });
    return {
      ...controls,
      sender,
      delivery: deliveryOf("record.created", caller.workspaceId, id),
      removeTarget: async () => void (await writer.remove(caller, id)),
      close: async () => {
        await sender.close();
        await stop();
      },
    };
  },
  slack: integrationChannel(
    "slack",
    () => ({ channel: "#general", bot_token: `xoxb-${SECRET}` }),
    (database, apiUrl, timeoutMs) =>
      slackChannel({ http: new OperatorHttp(), apiUrl, timeoutMs, ...source(database) }),
  ),
  discord: integrationChannel(
    "discord",
    (url) => ({ webhook_url: url }),
    (database, _url, timeoutMs) => closing(discordChannel, database, timeoutMs),
  ),
  zapier: integrationChannel(
    "zapier",
    (url) => ({ hook_url: url }),
    (database, _url, timeoutMs) => closing(zapierChannel, database, timeoutMs),
  ),
  mail: async (database, { timeoutMs }) => {
    const receiver = await startSmtpReceiver();
    const { caller } = await newTestIntegrations(database, testCipher);
    const { userId, workspaceId } = caller;
    const sender = mailChannel({
      sql: database.read,
      smtpUrl: receiver.url(),
      dataDir: "/nowhere",
      from: "Service <no-reply@service.example>",
      publicUrl: undefined,
      timeoutMs,
    });
    let isStopped = false;
    const stop = async () => {
      if (!isStopped) await receiver.stop();
      isStopped = true;
    };
    return {
      sender,
      delivery: deliveryOf("user.invited", workspaceId, userId, { id: userId, invited_by: userId }),
      behave: (manner) => {
        receiver.isSilent = manner === "silence";
        receiver.refuse = {
          refuse: "550 No such user",
          "long refusal": `${"550-Go away\r\n".repeat(200)}550 Go away`,
        }[String(manner)];
      },
      received: () => receiver.messages.length,
      connectionCount: receiver.connectionCount,
      openConnectionCount: receiver.openConnectionCount,
      removeTarget: () =>
        database.transaction(async (transaction) => {
          await transaction.execute("UPDATE users SET status = ? WHERE id = ?", ["inactive", userId]);
        }),
      stopReceiver: stop,
      close: async () => {
        await sender.close();
        await stop();
      },
    };
  },
} satisfies Record<string, StartChannel>;

/** With a client of its own, which is closed with it. */
function closing(
  channel: typeof discordChannel & typeof zapierChannel,
  database: Database,
  timeoutMs: number,
): ChannelSender {
  const client = newClient();
  const sender = channel({ client, timeoutMs, ...source(database) });
  return { send: sender.send, close: () => client.close() };
}
