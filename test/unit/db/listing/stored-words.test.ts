import { expect, test } from "@jest/globals";
import { joinWords, splitWords } from "../../../../db/listing/stored-words.ts";

test.each([[[]], [[""]], [["Ada Lovelace", "ada@example.com"]], [["数据库 😀"]], [["x".repeat(200)]]])(
  "words are stored so that they come back, each behind a space: %j",
  (texts) => {
    const stored = joinWords(texts);
    const words = splitWords(stored);
    expect(words.map((word) => ` ${word}`).join("")).toBe(stored);
    expect(words.every((word) => word !== "" && !word.includes(" "))).toBe(true);
  },
);

test("each word is stored once", () => {
  expect(joinWords(["Ada ADA", "ada"])).toBe(" ada");
});
