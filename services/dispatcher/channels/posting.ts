import type { TimedAnswer } from "../../../lib/outbound/outbound-client.ts";
import { OutboundError } from "../../../lib/outbound/outbound-error.ts";
import { outcomeOfAnswer, outcomeOfError } from "../attempt-outcome.ts";
import type { AttemptOutcome } from "./channel.ts";
import { type Secrets, withoutSecrets } from "./redaction.ts";

/**
 * Waits for the answer to a request, and says what came of it.
 * @param judge says what an answer makes of the attempt
 * @throws OutboundError `aborted`, and whatever is a fault of the program
 */
export async function outcomeOfPosting(
  posting: Promise<TimedAnswer>,
  judge: (answer: TimedAnswer) => AttemptOutcome,
): Promise<AttemptOutcome> {
  const startedMs = performance.now();
  try {
    return judge(await posting);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const outcome = outcomeOfError(error, Math.round(performance.now() - startedMs));
    if (!outcome) throw error;
    return outcome;
  }
}

/** Judges the answer to a request that carried secrets: they are taken out of what is kept of it. */
export function judgeWithout(secrets: Secrets): (answer: TimedAnswer) => AttemptOutcome {
  return (answer) => {
    const body = Buffer.from(withoutSecrets(answer.body.toString(), secrets));
    return outcomeOfAnswer({ ...answer, body }, Date.now());
  };
}
