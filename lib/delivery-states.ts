/** Whether a delivery is still to be made, and how it ended. */
export const deliveryStatuses = ["pending", "succeeded", "failed", "cancelled"] as const;
export type DeliveryStatus = (typeof deliveryStatuses)[number];

/** First attempts and retries wait apart, so that a target which fails does not hold up its new events. */
export const lanes = { first: 0, retry: 1 } as const;
export type Lane = (typeof lanes)[keyof typeof lanes];
