import type { TimedAnswer } from "../../../lib/outbound/outbound-client.ts";
import { userAgent } from "../../../lib/user-agent.ts";
import { eventSentence } from "../messages.ts";
import type { OperatorHttp } from "../operator-http.ts";
import { type AttemptOutcome, type ChannelSender, GONE } from "./channel.ts";
import { findIntegrationTarget, type IntegrationSource, requiredText } from "./integration-target.ts";
import { judgeWithout, outcomeOfPosting } from "./posting.ts";

export interface SlackOptions extends IntegrationSource {
  /** Closed with the channel. */
  readonly http: Pick<OperatorHttp, "post" | "close">;
  /** Where Slack's interface is, without the method's name. */
  readonly apiUrl: string;
  /** From the look-up of the name to the last byte of the answer. */
  readonly timeoutMs: number;
}

/** Posts a line to a Slack channel in the name of a bot. */
export function slackChannel({ http, apiUrl, timeoutMs, ...source }: SlackOptions): ChannelSender {
  const url = `${apiUrl.replace(/\/+$/, "")}/chat.postMessage`;
  return {
    send: async (delivery, signal) => {
      const config = await findIntegrationTarget(source, delivery, "slack");
      if (!config) return GONE;
      const token = requiredText(config, "bot_token");
      const message = {
        channel: requiredText(config, "channel"),
        text: escapeText(eventSentence(delivery.event, delivery.payload)),
        // A name is no markup, and no address in it is looked up.
        mrkdwn: false,
        unfurl_links: false,
        unfurl_media: false,
      };
      const answering = http.post({
        url,
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json; charset=utf-8",
          "user-agent": userAgent,
        },
        body: JSON.stringify(message),
        timeoutMs,
        signal,
      });
      return await outcomeOfPosting(answering, judge(token));
    },
    close: () => http.close(),
  };
}

/** Slack answers 200 to what it refuses, and says so in the body. */
function judge(token: string): (answer: TimedAnswer) => AttemptOutcome {
  const judgeStatus = judgeWithout([token]);
  return (answer) => {
    const outcome = judgeStatus(answer);
    const isRefused = outcome.isSuccess && !isOk(answer.body.toString());
    return isRefused ? { ...outcome, isSuccess: false, error: "status" } : outcome;
  };
}

function isOk(text: string): boolean {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === "object" && answer !== null && "ok" in answer && answer.ok === true;
  } catch {
    return false;
  }
}

/** A text without Slack's control sequences: mentions, links and entities. */
function escapeText(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
