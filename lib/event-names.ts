/** Everything that is told to webhooks, chat and automation, in the interface's order. */
export const eventNames = [
  "record.created",
  "record.updated",
  "record.deleted",
  "user.invited",
  "user.removed",
  "integration.connected",
  "integration.disconnected",
] as const;

export type EventName = (typeof eventNames)[number];
