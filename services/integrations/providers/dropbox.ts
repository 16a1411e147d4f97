import { configSchema, type Provider, text } from "./provider.ts";

export const dropbox: Provider = {
  type: "dropbox",
  name: "Dropbox",
  kind: "cloud_drive",
  auth: "oauth",
  config: configSchema({ required: {}, optional: { folder: text(1_024) } }),
  credentials: [],
};
