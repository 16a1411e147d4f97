import { address, configSchema, events, type Provider } from "./provider.ts";

export const zapier: Provider = {
  type: "zapier",
  name: "Zapier",
  kind: "automation",
  auth: "config",
  config: configSchema({ required: { hook_url: address }, optional: { events } }),
  credentials: ["hook_url"],
};
