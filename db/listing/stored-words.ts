import { searchWords } from "../../lib/search-words.ts";

/** The index words of texts as a row keeps them: a space before each, for the search to probe. */
export function joinWords(texts: readonly string[]): string {
  return searchWords(texts)
    .map((word) => ` ${word}`)
    .join("");
}

/** The index words that a row keeps. */
export function splitWords(words: string): string[] {
  return words === "" ? [] : words.slice(1).split(" ");
}
