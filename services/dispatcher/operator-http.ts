import { Agent as HttpAgent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import type { Readable } from "node:stream";
import { isAxiosError } from "axios";
import { Deadline, startTimer } from "../../lib/outbound/deadline.ts";
import { type Progress, plainPosts, readBounded } from "../../lib/outbound/exchange.ts";
import { explainFailure } from "../../lib/outbound/failure.ts";
import type { OutboundPost, TimedAnswer } from "../../lib/outbound/outbound-client.ts";
import { OutboundError } from "../../lib/outbound/outbound-error.ts";

const namelessCodes = new Set(["ENOTFOUND", "EAI_AGAIN"]);

/**
 * The way to an address that the operator sets: not vetted, and plain http where it says so. All else is as with
 * the outbound client: one deadline over all, no redirect, no proxy, at most 64 KiB of an answer.
 */
export class OperatorHttp {
  // A connection each: what is sent here is little, and none is ever found dead.
  readonly #httpAgent = new HttpAgent({ keepAlive: false });
  readonly #httpsAgent = new HttpsAgent({ keepAlive: false });
  readonly #running = new Set<Deadline>();
  #isClosed = false;

  /** @throws OutboundError for whatever prevents an answer */
  async post({ url, headers, body, timeoutMs, signal }: OutboundPost): Promise<TimedAnswer> {
    const startedMs = performance.now();
    const progress: Progress = { stage: "connect", isReused: false, hasAnswerBytes: false };
    const deadline = new Deadline({ timeoutMs, signal, startTimer });
    this.#running.add(deadline);
    if (this.#isClosed) deadline.abort();
    try {
      const answer = await deadline.bound(this.#exchange({ url, headers, body }, deadline.signal, progress));
      return { ...answer, durationMs: Math.round(performance.now() - startedMs) };
    } catch (error) {
      throw deadline.end === undefined && isNameless(error)
        ? new OutboundError("dns", "its name was not resolved")
        : explainFailure(error, progress, deadline);
    } finally {
      this.#running.delete(deadline);
      deadline.release();
    }
  }

  /** Aborts what is in flight and refuses further requests. */
  close(): void {
    this.#isClosed = true;
    for (const deadline of this.#running) deadline.abort();
  }

  async #exchange(
    { url, headers, body }: Pick<OutboundPost, "url" | "headers" | "body">,
    signal: AbortSignal,
    progress: Progress,
  ): Promise<Omit<TimedAnswer, "durationMs">> {
    const response = await plainPosts.request<Readable>({
      url,
      headers: { ...headers, "accept-encoding": "identity" },
      data: Buffer.from(body),
      httpAgent: this.#httpAgent,
      httpsAgent: this.#httpsAgent,
      signal,
    });
    progress.stage = "read";
    const entries = Object.entries(response.headers).map(([name, value]) => [name, String(value)] as const);
    return {
      statusCode: response.status,
      headers: Object.fromEntries(entries),
      ...(await readBounded(response.data)),
    };
  }
}

function isNameless(error: unknown): boolean {
  return isAxiosError(error) && namelessCodes.has(error.code ?? "");
}
