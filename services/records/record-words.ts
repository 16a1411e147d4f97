import { searchWords } from "../../lib/search-words.ts";

/** The index words of a record as its row keeps them: a space before each, for the search to probe. */
export function findableWords(name: string, fields: Readonly<Record<string, string>>): string {
  return searchWords([name, ...Object.values(fields)])
    .map((word) => ` ${word}`)
    .join("");
}

/** The index words that a row keeps. */
export function splitWords(words: string): string[] {
  return words === "" ? [] : words.slice(1).split(" ");
}
