import { configSchema, events, type Provider, text, token } from "./provider.ts";

export const slack: Provider = {
  type: "slack",
  name: "Slack",
  kind: "chat",
  auth: "token",
  config: configSchema({ required: { channel: text(255), bot_token: token }, optional: { events } }),
  credentials: ["bot_token"],
};
