import { expect, test } from "@jest/globals";
import { commands } from "../../../admin/commands.ts";
import { completions } from "../../../admin/console-words.ts";

test.each([
  ["ke", ["keys create", "keys list", "keys revoke"]],
  ["users s", ["users show"]],
  ["no", ["nodes"]],
  ["q", ["quit"]],
])("%j is completed to what the console has", (line, expected) => {
  expect(completions(commands, line)).toEqual(expected);
});

test.each(["", "des"])("%j is completed to everything, and so to no command that was taken out", (line) => {
  const all = completions(commands, line);
  expect(all).toEqual(expect.arrayContaining(["secrets reseal", "call", "services", "help", "info"]));
  expect(all).not.toContain("destroy");
});
