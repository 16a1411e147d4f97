import { configSchema, type Provider, text } from "./provider.ts";

export const googleDrive: Provider = {
  type: "google_drive",
  name: "Google Drive",
  kind: "cloud_drive",
  auth: "oauth",
  config: configSchema({ required: {}, optional: { folder: text(1_024) } }),
  credentials: [],
};
