import { describe, expect, test } from "@jest/globals";
import { parseCommand, UsageError } from "../../../admin/command-line.ts";
import { commands } from "../../../admin/commands.ts";
import { helpPage } from "../../../admin/help-page.ts";

const parse = (...words: string[]) => parseCommand(commands, words, "npm run admin -- ");

describe("a command line", () => {
  test.each([
    [
      ["workspaces", "create", "Acme Inc", "--email", "ada@acme.example"],
      { name: "Acme Inc", email: "ada@acme.example" },
    ],
    [
      ["workspaces", "create", "--email=ada@acme.example", "Acme"],
      { name: "Acme", email: "ada@acme.example" },
    ],
    [["workspaces", "create", "--email", "ada@acme.example", "--", "-1"], { name: "-1" }],
    [["keys", "create", "usr_1"], { "user id": "usr_1" }],
    [["keys", "create", "usr_1", "--name", "CI"], { "user id": "usr_1", name: "CI" }],
    [["keys", "list", "--workspace", "ws_1"], { workspace: "ws_1" }],
    [["keys", "revoke", "key_1"], { "key id": "key_1" }],
  ])("%j says what is to be done", (words, given) => {
    expect(parse(...words).given).toMatchObject(given);
    expect(parse(...words).command.name).toBe(words.slice(0, 2).join(" "));
  });

  test.each([[["keys"]], [["keys", "destroy", "key_1"]], [[]]])("%j is no command", (words) => {
    expect(() => parse(...words)).toThrow(UsageError);
    expect(() => parse(...words)).toThrow(
      /^There is no command like this\.\n\nCommands\n {2}workspaces create /,
    );
  });

  test.each([
    [["keys", "create"], "The <user id> is missing."],
    [["keys", "create", "--name", "CI"], "The <user id> is missing."],
    [["keys", "revoke", "key_1", "key_2"], '"key_2" is a word too many.'],
    [["workspaces", "list", "all"], '"all" is a word too many.'],
    [["workspaces", "create", "Acme"], "--email is required."],
    [["workspaces", "create", "Acme", "--email", ""], "--email is required."],
    [["workspaces", "create", "Acme", "--email"], "Option '--email <value>' argument missing."],
    [["keys", "create", "usr_1", "--name", "-x"], "Option '--name' argument is ambiguous."],
    [["keys", "list", "--role", "admin"], "Unknown option '--role'."],
  ])("%j is refused in one sentence, and told how it is done", (words, sentence) => {
    expect(() => parse(...words)).toThrow(UsageError);
    expect(() => parse(...words)).toThrow(sentence);
    expect(() => parse(...words)).toThrow(/\nUsage: npm run admin -- /);
  });
});

test("the help page has every command as it is typed", () => {
  expect(helpPage(commands).match(/^ {2}\S.*$/gm)).toEqual([
    "  workspaces create <name> --email <email>",
    "  workspaces list",
    "  keys create <user id> [--name <name>]",
    "  keys list [--workspace <workspace id>]",
    "  keys revoke <key id>",
    "  users list [--role <role>] [--status <status>] [--q <words>] [--workspace <workspace id>]",
    "  users show <user id> [--workspace <workspace id>]",
    "  integrations list [--status <status>] [--workspace <workspace id>]",
    "  registrations list [--workspace <workspace id>]",
    "  secrets reseal",
  ]);
});
