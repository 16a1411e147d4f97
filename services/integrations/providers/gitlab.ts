import { configSchema, type Provider, text } from "./provider.ts";

export const gitlab: Provider = {
  type: "gitlab",
  name: "GitLab",
  kind: "code_hosting",
  auth: "oauth",
  config: configSchema({
    required: {},
    optional: { repository: text(255), organization: text(255), branch: text(255) },
  }),
  credentials: [],
};
