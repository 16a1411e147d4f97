import { configSchema, type Provider, text } from "./provider.ts";

export const github: Provider = {
  type: "github",
  name: "GitHub",
  kind: "code_hosting",
  auth: "oauth",
  config: configSchema({
    required: {},
    optional: { repository: text(255), organization: text(255), branch: text(255) },
  }),
  credentials: [],
};
