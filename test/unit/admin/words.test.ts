import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { UsageError } from "../../../admin/command-line.ts";
import { splitWords } from "../../../admin/words.ts";

describe("a line's words", () => {
  test.each([
    ["", []],
    [" \t\n", []],
    ["keys list\n", ["keys", "list"]],
    [
      'keys create usr_1 --name "Continuous  integration"',
      ["keys", "create", "usr_1", "--name", "Continuous  integration"],
    ],
    ["--name='A B' --x=\"C D\"", ["--name=A B", "--x=C D"]],
    [`it"'"s 'a "quote"' "say \\"hi\\""`, ["it's", 'a "quote"', 'say "hi"']],
    ["a\\ b \\' c\\", ["a b", "'", "c"]],
    ["'back\\slash' ''", ["back\\slash", ""]],
    [
      'call x {"name": "A \\" } b", "in": [{}]} --y',
      ["call", "x", '{"name": "A \\" } b", "in": [{}]}', "--y"],
    ],
    ['--tags ["a", "]"]', ["--tags", '["a", "]"]']],
    ["'{\"a\": 1}'", ['{"a": 1}']],
    ["a{b c}", ["a{b", "c}"]],
  ])("%j are as a shell has them, and JSON is one word", (line, words) => {
    expect(splitWords(line)).toEqual(words);
  });

  test.each([
    ["say 'hi", "A ' is open at the end of the line."],
    ['say "hi', 'A " is open at the end of the line.'],
    ['call x {"a": "b}', 'A " is open at the end of the line.'],
    ['call x {"a": [1}', "A bracket is open at the end of the line."],
  ])("%j is refused in one sentence", (line, sentence) => {
    expect(() => splitWords(line)).toThrow(new UsageError(sentence));
  });

  test("that were quoted come back as they were, whatever they hold", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "binary" })), (words) => {
        const line = words.map((word) => `"${word.replace(/["\\]/g, "\\$&")}"`).join(" ");
        expect(splitWords(line)).toEqual(words);
      }),
    );
  });

  test("any JSON is one word", () => {
    fc.assert(
      fc.property(fc.oneof(fc.array(fc.jsonValue()), fc.dictionary(fc.string(), fc.jsonValue())), (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(splitWords(`call x ${text} --y`)).toEqual(["call", "x", text, "--y"]);
      }),
    );
  });

  test("a line of some megabytes is split too", () => {
    const long = "x".repeat(3_000_000);
    expect(splitWords(`call "${long}" {"a":"${long}"} ${long}`).map(({ length }) => length)).toEqual([
      4,
      long.length,
      long.length + 8,
      long.length,
    ]);
  });
});
