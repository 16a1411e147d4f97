import { expect, test } from "@jest/globals";
import { forgetSecrets } from "../../../admin/console-history.ts";

/** What the history has once it was told of these lines, one after the other. */
function historyOf(...lines: string[]): string[] {
  const history: string[] = [];
  for (const line of lines) {
    history.unshift(line);
    forgetSecrets(history);
  }
  return history;
}

test("the console's history keeps no line that may hold a credential", () => {
  expect(
    historyOf(
      "workspaces list",
      "call integrations.create --type slack --config.bot_token xoxb-1",
      'call integrations.update {"id":"int_1","CONFIG":{}}',
      "call webhooks.create --url https://a.example --events * --secret s3cret",
      "call records.list",
    ),
  ).toEqual(["call records.list", "workspaces list"]);
});
