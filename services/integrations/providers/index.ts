/** Every provider: a new one is a file beside this one and a line here. */
export { discord } from "./discord.ts";
export { dropbox } from "./dropbox.ts";
export { github } from "./github.ts";
export { gitlab } from "./gitlab.ts";
export { googleDrive } from "./google-drive.ts";
export { slack } from "./slack.ts";
export { zapier } from "./zapier.ts";
