import { eventNames } from "../../lib/event-names.ts";
import type { ParamsOf, ParamsSchema } from "../../mixins/action.ts";
import { pageParams } from "../../mixins/params.schema.ts";

/** What `events` may name; `*` is all of them, whatever stands beside it. */
export const subscribableEvents = [...eventNames, "*"] as const;
export type SubscribableEvent = (typeof subscribableEvents)[number];

/** Whatever is wrong here is 400; whether `url` takes deliveries is judged later: see webhook-validation.ts. */
export const createWebhookSchema = {
  type: "object",
  additionalProperties: false,
  required: ["url", "events"],
  properties: {
    url: { type: "string", maxLength: 2_048, format: "httpsUrl" },
    events: {
      type: "array",
      minItems: 1,
      maxItems: 20,
      items: { type: "string", enum: subscribableEvents },
    },
    secret: { type: "string", minLength: 1, maxLength: 255, format: "storable" },
  },
} as const satisfies ParamsSchema;

export const listWebhooksSchema = {
  type: "object",
  additionalProperties: false,
  properties: {
    ...pageParams,
  },
} as const satisfies ParamsSchema;

export type NewWebhook = ParamsOf<typeof createWebhookSchema>;
export type ListWebhooksParams = ParamsOf<typeof listWebhooksSchema>;

/** A registration as the interface shows it: its secret is never shown. */
export type WebhookResource = {
  id: string;
  url: string;
  /** As the client sent them. */
  events: SubscribableEvent[];
  status: "active";
  created_at: string;
};
