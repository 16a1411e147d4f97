import { describe, expect, test } from "@jest/globals";
import { helpPage, parseCommand, UsageError } from "../../../admin/command-line.ts";
import { commands } from "../../../admin/commands.ts";

const parse = (...words: string[]) => {
  const parsed = parseCommand(commands, words);
  return parsed && { name: parsed.command.name, ...parsed.given };
};

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
    expect(parseCommand(commands, words)?.given).toMatchObject(given);
    expect(parseCommand(commands, words)?.command.name).toBe(words.slice(0, 2).join(" "));
  });

  test.each([[[]], [["--help"]], [["-h"]], [["keys", "create", "--help"]]])("%j asks for help", (words) => {
    expect(parse(...words)).toBeUndefined();
  });

  test.each([
    [["keys"], "There is no command like this."],
    [["keys", "destroy", "key_1"], "There is no command like this."],
    [["keys", "create"], "Words are missing or too many."],
    [["keys", "revoke", "key_1", "key_2"], "Words are missing or too many."],
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
  ]);
});
