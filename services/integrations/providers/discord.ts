import { address, configSchema, events, type Provider } from "./provider.ts";

export const discord: Provider = {
  type: "discord",
  name: "Discord",
  kind: "chat",
  auth: "config",
  config: configSchema({ required: { webhook_url: address }, optional: { events } }),
  credentials: ["webhook_url"],
};
