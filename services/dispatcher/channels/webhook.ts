import { deliveryHeaders } from "../../../lib/delivery.ts";
import type { OutboundClient } from "../../../lib/outbound/outbound-client.ts";
import { webhookSecretPlace } from "../../../lib/sealed-places.ts";
import { outcomeOfAnswer } from "../attempt-outcome.ts";
import { type ChannelSender, GONE } from "./channel.ts";
import { outcomeOfPosting } from "./posting.ts";

/** A registration as far as sending needs it. */
export interface WebhookAddress {
  readonly url: string;
  /** Sealed; null where deliveries are not signed. */
  readonly secret: string | null;
}

export interface WebhookChannelOptions {
  readonly client: Pick<OutboundClient, "post" | "close">;
  /** The registration as it stands now; undefined where it was removed. */
  readonly findWebhook: (id: string) => Promise<WebhookAddress | undefined>;
  /** Opens what is sealed for a place. */
  readonly cipher: { open(sealed: string, place: string): string };
  /** From the look-up of the name to the answer's last byte. */
  readonly timeoutMs: number;
  /** A clock in milliseconds since 1970. */
  readonly nowMs?: () => number;
}

/** Posts events to registered addresses, signed where they have a secret. */
export function webhookChannel({
  client,
  findWebhook,
  cipher,
  timeoutMs,
  nowMs = Date.now,
}: WebhookChannelOptions): ChannelSender {
  return {
    async send({ id, event, payload, targetId, attempt }, signal) {
      const webhook = await findWebhook(targetId);
      if (!webhook) return GONE;
      const { url, secret: sealed } = webhook;
      const secret = sealed === null ? undefined : cipher.open(sealed, webhookSecretPlace(targetId));
      const body = Buffer.from(payload);
      const headers = deliveryHeaders({ event, deliveryId: id, attempt, secret }, body);
      const posting = client.post({ url, headers, body, timeoutMs, signal });
      return await outcomeOfPosting(posting, (answer) => outcomeOfAnswer(answer, nowMs()));
    },
    close: () => client.close(),
  };
}
