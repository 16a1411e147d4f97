import type { OutboundClient } from "../../../lib/outbound/outbound-client.ts";
import { userAgent } from "../../../lib/user-agent.ts";
import { eventSentence } from "../messages.ts";
import { type ChannelSender, GONE } from "./channel.ts";
import { findIntegrationTarget, type IntegrationSource, requiredText } from "./integration-target.ts";
import { judgeWithout, outcomeOfPosting } from "./posting.ts";
import { addressSecrets } from "./redaction.ts";

export interface DiscordOptions extends IntegrationSource {
  readonly client: Pick<OutboundClient, "post">;
  /** From the look-up of the name to the last byte of the answer. */
  readonly timeoutMs: number;
}

const SUPPRESS_EMBEDS = 4;

/** Posts a line to a Discord channel, by the address that stands for it. Whoever made the client closes it. */
export function discordChannel({ client, timeoutMs, ...source }: DiscordOptions): ChannelSender {
  return {
    send: async (delivery, signal) => {
      const config = await findIntegrationTarget(source, delivery, "discord");
      if (!config) return GONE;
      const url = requiredText(config, "webhook_url");
      const message = {
        content: escapeMarkdown(eventSentence(delivery.event, delivery.payload)),
        // Nobody is called by a name that somebody gave a record, and no address in it is looked up.
        allowed_mentions: { parse: [] },
        flags: SUPPRESS_EMBEDS,
      };
      const posting = client.post({
        url,
        headers: { "Content-Type": "application/json", "User-Agent": userAgent },
        body: JSON.stringify(message),
        timeoutMs,
        signal,
      });
      return await outcomeOfPosting(posting, judgeWithout(addressSecrets(url)));
    },
    close: () => {},
  };
}

/** A text that Discord shows as it is. */
function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\*_~`|<>[\]()#]/g, "\\$&");
}
