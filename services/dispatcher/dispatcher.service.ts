import type { Service, ServiceSchema, ServiceSettingSchema } from "moleculer";
import type { Sql } from "../../db/database.ts";
import type { Cipher } from "../../lib/cipher.ts";
import { type Config, loadConfig } from "../../lib/config.ts";
import { eventNames } from "../../lib/event-names.ts";
import { startTimer } from "../../lib/outbound/deadline.ts";
import { OutboundClient } from "../../lib/outbound/outbound-client.ts";
import { databaseOf } from "../../mixins/database.middleware.ts";
import { cipherOf } from "../../mixins/secrets.middleware.ts";
import { TARGET_REMOVED, type TargetRemovedNotice } from "../../mixins/target-removed.ts";
import { attemptLine } from "./attempt-line.ts";
import type { ChannelSender } from "./channels/channel.ts";
import { discordChannel } from "./channels/discord.ts";
import { mailChannel } from "./channels/mail.ts";
import { slackChannel } from "./channels/slack.ts";
import { webhookChannel } from "./channels/webhook.ts";
import { zapierChannel } from "./channels/zapier.ts";
import type { Channel } from "./delivery.entity.ts";
import { DeliveryQueue } from "./delivery-queue.ts";
import { findPayloads } from "./event-payload.repository.ts";
import { fanOut } from "./fan-out.ts";
import { OperatorHttp } from "./operator-http.ts";
import { nextStep } from "./retry-policy.ts";
import { Scheduler } from "./scheduler.ts";
import { findWebhook } from "./target.repository.ts";

interface DispatcherService extends Service {
  config: Config;
  senders: ReadonlyMap<Channel, ChannelSender>;
  scheduler: Scheduler;
}

/** A way to send for each channel. Those that call users' addresses share one guarded client. */
function newSenders(
  { webhooks, senders, http, storage }: Config,
  sql: Sql,
  cipher: Cipher,
): ReadonlyMap<Channel, ChannelSender> {
  const { timeoutMs } = webhooks;
  const client = new OutboundClient({ allowedNetworks: webhooks.allowedNetworks });
  const source = { sql, cipher, timeoutMs };
  return new Map<Channel, ChannelSender>([
    ["webhook", webhookChannel({ client, findWebhook: (id) => findWebhook(sql, id), cipher, timeoutMs })],
    ["slack", slackChannel({ ...source, http: new OperatorHttp(), apiUrl: senders.slackApiUrl })],
    ["discord", discordChannel({ ...source, client })],
    ["zapier", zapierChannel({ ...source, client })],
    [
      "mail",
      mailChannel({
        sql,
        smtpUrl: senders.smtpUrl,
        from: senders.mailFrom,
        dataDir: storage.dataDir,
        publicUrl: http.publicUrl,
        timeoutMs,
      }),
    ],
  ]);
}

/** What the node was told, as a wake-up: what is to be done stands in the database. */
function wake(this: DispatcherService): void {
  this.scheduler.wake();
}

/** Delivers what happened to whoever registered for it. Several of them share the work. */
const dispatcherService: ServiceSchema<ServiceSettingSchema, object, object, DispatcherService> = {
  name: "dispatcher",
  metadata: { sealsSecrets: true },
  events: {
    ...Object.fromEntries(eventNames.map((event) => [event, wake])),
    [TARGET_REMOVED](this: DispatcherService, { params }: { params: TargetRemovedNotice }) {
      this.scheduler.abortTarget(params.id);
    },
  },
  created() {
    this.config = loadConfig();
  },
  started() {
    const database = databaseOf(this.broker);
    this.senders = newSenders(this.config, database.read, cipherOf(this.broker));
    const { retryBaseMs } = this.config.webhooks;
    this.scheduler = new Scheduler({
      queue: new DeliveryQueue(database),
      fanOut: () => fanOut(database),
      findPayloads: (eventIds) => findPayloads(database.read, eventIds),
      senders: this.senders,
      nextStep: (attempt, outcome) =>
        nextStep(attempt, outcome, { baseMs: retryBaseMs, random: Math.random }),
      startTimer,
      onAttempt: (note) => this.logger[note.outcome.isSuccess ? "debug" : "info"](attemptLine(note)),
      onError: (message, error) => this.logger.error(`${message}.`, error),
    });
    this.scheduler.start();
  },
  async stopped() {
    // A service whose start failed has none.
    await this.scheduler?.stop(this.config.http.shutdownTimeoutMs);
    for (const sender of this.senders?.values() ?? []) await sender.close();
  },
};

export default dispatcherService;
