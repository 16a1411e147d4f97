import type { TimedAnswer } from "../../../lib/outbound/outbound-client.ts";
import { OutboundError } from "../../../lib/outbound/outbound-error.ts";
import { outcomeOfAnswer, outcomeOfError } from "../attempt-outcome.ts";
import type { AttemptOutcome } from "./channel.ts";
import { type Secrets, withoutSecrets } from "./redaction.ts";

/**
 * Waits for the answer to a request that carried secrets, and says what came of it.
 * @param secrets are taken out of what is kept of the answer
 * @throws OutboundError `aborted`, and whatever is a fault of the program
 */
export async function outcomeOfPosting(
  posting: Promise<TimedAnswer>,
  secrets: Secrets,
): Promise<AttemptOutcome> {
  const startedMs = performance.now();
  try {
    const answer = await posting;
    const body = Buffer.from(withoutSecrets(answer.body.toString(), secrets));
    return outcomeOfAnswer({ ...answer, body }, Date.now());
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const outcome = outcomeOfError(error, Math.round(performance.now() - startedMs));
    if (!outcome) throw error;
    return outcome;
  }
}
