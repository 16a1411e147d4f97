import { deliveryHeaders, deliveryPayload, VALIDATION_EVENT } from "../../lib/delivery.ts";
import { invalidMember, type ServiceError, unavailable } from "../../lib/errors.ts";
import { faultError } from "../../lib/faults.ts";
import { newId } from "../../lib/ids.ts";
import type { OutboundAnswer } from "../../lib/outbound/exchange.ts";
import type { OutboundClient } from "../../lib/outbound/outbound-client.ts";
import { OutboundError } from "../../lib/outbound/outbound-error.ts";
import type { WebhookResource } from "./webhook.schema.ts";

/** Whoever registers waits for it, and is to have an answer within six seconds. */
const MAX_VALIDATION_MS = 5_000;

/**
 * Asks an address whether it takes deliveries.
 * @param webhook as it will be registered
 * @param secret in plain, where deliveries will be signed
 * @throws ServiceError 422 that says why it does not, 400 where the URL is none after all, 503 where this node stops
 */
export type ValidateWebhook = (
  workspaceId: string,
  webhook: WebhookResource,
  secret: string | undefined,
) => Promise<void>;

/**
 * Validates by a delivery like any other, sent once.
 * @param timeoutMs as deliveries have
 * @param log told why there was no answer; the line names the registration, and neither URL nor secret
 */
export function webhookValidation(
  client: Pick<OutboundClient, "post">,
  timeoutMs: number,
  log: (line: string, cause: unknown) => void,
): ValidateWebhook {
  return async (workspaceId, webhook, secret) => {
    const occurredAtMs = Date.parse(webhook.created_at);
    const content = { event: VALIDATION_EVENT, occurredAtMs, workspaceId, data: webhook } as const;
    const body = Buffer.from(deliveryPayload(content));
    const attempt = { event: VALIDATION_EVENT, deliveryId: newId("delivery"), attempt: 1, secret } as const;
    const request = {
      url: webhook.url,
      headers: deliveryHeaders(attempt, body),
      body,
      timeoutMs: Math.min(timeoutMs, MAX_VALIDATION_MS),
    };
    const answer = await client.post(request).catch((error) => {
      if (!(error instanceof OutboundError)) throw error;
      log(`${webhook.id} was not registered, ${error.reason}: ${error.message}.`, error.cause);
      throw refusalFor(error);
    });
    const fault = faultOf(answer);
    if (fault !== undefined) throw unusable(fault);
  };
}

/** What keeps an answer from being a yes. */
function faultOf({ statusCode, isTruncated }: OutboundAnswer): string | undefined {
  if (statusCode >= 300 && statusCode < 400) {
    return `it answered with a redirect (status ${statusCode}), which is not followed`;
  }
  if (statusCode < 200 || statusCode > 299) return `it answered with status ${statusCode} instead of 2xx`;
  return isTruncated ? "its answer has more than 64 KiB" : undefined;
}

function refusalFor(error: OutboundError): ServiceError {
  switch (error.reason) {
    case "aborted":
      return unavailable(error);
    case "url":
      return invalidMember("url", `cannot be used: ${error.message}`);
    default:
      return unusable(error.message);
  }
}

/** @param why half a sentence about the receiver */
function unusable(why: string): ServiceError {
  return faultError("unprocessable", [{ path: "url", message: `cannot be used: ${why}` }]);
}
