import { deliveryHeaders } from "../../../lib/delivery.ts";
import type { OutboundClient } from "../../../lib/outbound/outbound-client.ts";
import { type ChannelSender, GONE } from "./channel.ts";
import { findIntegrationTarget, type IntegrationSource, requiredText } from "./integration-target.ts";
import { judgeWithout, outcomeOfPosting } from "./posting.ts";
import { addressSecrets } from "./redaction.ts";

export interface ZapierOptions extends IntegrationSource {
  readonly client: Pick<OutboundClient, "post">;
  /** From the look-up of the name to the last byte of the answer. */
  readonly timeoutMs: number;
}

/** Posts the body that webhooks get, without a signature. Whoever made the client closes it. */
export function zapierChannel({ client, timeoutMs, ...source }: ZapierOptions): ChannelSender {
  return {
    send: async (delivery, signal) => {
      const config = await findIntegrationTarget(source, delivery, "zapier");
      if (!config) return GONE;
      const url = requiredText(config, "hook_url");
      const body = Buffer.from(delivery.payload);
      const { id: deliveryId, event, attempt } = delivery;
      const headers = deliveryHeaders({ event, deliveryId, attempt, secret: undefined }, body);
      const posting = client.post({ url, headers, body, timeoutMs, signal });
      return await outcomeOfPosting(posting, judgeWithout(addressSecrets(url)));
    },
    close: () => {},
  };
}
