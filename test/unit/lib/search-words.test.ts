import { describe, expect, jest, test } from "@jest/globals";
import fc from "fast-check";
import { foldText } from "../../../lib/fold-text.ts";
import {
  MAX_INDEX_WORD_LENGTH,
  NORMALISER_VERSION,
  queryWords,
  searchWords,
} from "../../../lib/search-words.ts";
import { searchCases, searchDocuments } from "../../support/search-fixtures.ts";

/** What the index table answers: each prefix that the query asks for begins some index word. */
function isFound(q: string, indexWords: readonly string[]): boolean {
  const prefixes = queryWords(q);
  return (
    prefixes.length > 0 && prefixes.every((prefix) => indexWords.some((word) => word.startsWith(prefix)))
  );
}

/** An index word's two parts; only the later blocks of long words have a hash. */
function partsOf(indexWord: string): { hash: string; block: string } {
  if (!indexWord.startsWith("\u0001")) return { hash: "", block: indexWord };
  return { hash: indexWord.slice(1, 17), block: indexWord.slice(17) };
}

function lengthOf(word: string): number {
  return Array.from(word).length;
}

describe("the shared search cases, in memory", () => {
  const library = searchDocuments.map(({ key, name, fields }) => ({
    key,
    indexWords: searchWords([name, ...Object.values(fields)]),
  }));

  test.each(searchCases.map(({ q, finds, why }) => [why, q, finds] as const))("%s: %j", (_why, q, finds) => {
    const found = library.filter(({ indexWords }) => isFound(q, indexWords)).map(({ key }) => key);
    expect(found).toEqual(finds);
  });

  test("name only documents that exist, each key and query once", () => {
    const keys = searchDocuments.map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(new Set(searchCases.map(({ q }) => q)).size).toBe(searchCases.length);
    expect(searchCases.flatMap(({ finds }) => finds).filter((key) => !keys.includes(key))).toEqual([]);
  });

  test("every document is found by its own name, and by some case", () => {
    for (const { key, name } of searchDocuments) {
      expect(
        library.filter(({ indexWords }) => isFound(name, indexWords)).map((found) => found.key),
      ).toContain(key);
    }
    const found = new Set(searchCases.flatMap(({ finds }) => finds));
    expect(searchDocuments.map(({ key }) => key).filter((key) => !found.has(key))).toEqual([]);
  });
});

describe("searchWords", () => {
  test("gives each word once, in the order of first occurrence, over all texts", () => {
    expect(searchWords(["Beta alpha", "ALPHA gamma béta"])).toEqual(["beta", "alpha", "gamma"]);
  });

  test("of no text, or of none with a word, is empty", () => {
    expect(searchWords([])).toEqual([]);
    expect(searchWords(["", " - ", "…"])).toEqual([]);
  });

  test("the ASCII path gives what the general one gives", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), (text) => {
        expect(searchWords([text])).toEqual(searchWords([`${text} \u00a7`])); // § is no word and beyond ASCII
      }),
    );
  });

  test("only runs in scripts without spaces are segmented", () => {
    const segment = jest.spyOn(Intl.Segmenter.prototype, "segment");
    try {
      searchWords(["plain ASCII", "Élan Ёлка Οδυσσεύς محمد दिन 한국어 👍🏽 🇩🇪"]);
      expect(segment).not.toHaveBeenCalled();
      searchWords(["Élan 東京タワー"]);
      expect(segment.mock.calls).toEqual([["東京タワー"]]);
    } finally {
      segment.mockRestore();
    }
  });

  test("emoji are words one by one, without what modifies them", () => {
    expect(searchWords(["ok👍🏽👨‍👩‍👧❤️🇩🇪🇩🇰"])).toEqual(["ok", "👍", "👨", "👩", "👧", "❤", "🇩🇪", "🇩🇰"]);
    expect(searchWords(["🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}"])).toEqual(["🏴"]);
    expect(searchWords(["🏽 🇩 © ® ™ ↔ ‼ 〰"])).toEqual(["tm"]);
  });

  test("a word over 64 code points becomes blocks, each with a hash of all before it", () => {
    const indexWords = searchWords([`${"a".repeat(64)}${"b".repeat(64)}c`]);
    expect(indexWords.map(partsOf)).toEqual([
      { hash: "", block: "a".repeat(64) },
      { hash: expect.stringMatching(/^[\w-]{16}$/), block: "b".repeat(64) },
      { hash: expect.stringMatching(/^[\w-]{16}$/), block: "c" },
    ]);
  });

  test("the form of the blocks is stable, since rows hold it", () => {
    expect(searchWords(["a".repeat(65)])).toEqual(["a".repeat(64), "\u0001_-BU_nrgy23GXDr5a"]);
  });

  test("blocks are counted in code points", () => {
    const word = "𐐨".repeat(64);
    expect(searchWords([word])).toEqual([word]);
    expect(searchWords([`${word}𐐨`])).toHaveLength(2);
  });
});

describe("queryWords", () => {
  test("drops words that another one implies, sorted", () => {
    expect(queryWords("bet alpha al beta be")).toEqual(["alpha", "beta"]);
    expect(queryWords(`${"a".repeat(64)} ${"a".repeat(70)}`)).toHaveLength(1);
  });

  test.each(["", "   ", "***", "-", "\u200d", "\ud800"])("%j has no word", (q) => {
    expect(queryWords(q)).toEqual([]);
  });

  test.each([64, 128, 192])("asks for one full block when a word has exactly %i code points", (length) => {
    const indexWords = searchWords(["a".repeat(length)]);
    expect(queryWords("a".repeat(length))).toEqual([indexWords.at(-1)]);
    expect(indexWords.map((indexWord) => partsOf(indexWord).block.length)).toEqual(
      Array(length / 64).fill(64),
    );
  });

  test("a long word asks for one key only", () => {
    expect(queryWords("a".repeat(10_000))).toHaveLength(1);
  });
});

describe("properties", () => {
  /** Scripts with spaces: a prefix of a word is one word. In the others a dictionary decides. */
  const SPACED_LETTER = fc.constantFrom(
    ..."abzéßÆ09",
    ..."жЁй",
    ..."Σςώ",
    ..."مُّ",
    ..."दिी्",
    ..."한국",
    "𐐀",
    "e\u0301",
  );
  const word = fc.oneof(
    { weight: 4, arbitrary: fc.string({ unit: SPACED_LETTER, minLength: 1, maxLength: 12 }) },
    { weight: 1, arbitrary: fc.string({ unit: SPACED_LETTER, minLength: 60, maxLength: 200 }) },
  );
  const spacedText = fc.array(word, { maxLength: 8 }).map((words) => words.join(" "));
  const mixedText = fc.oneof(
    fc.string({ unit: "binary" }),
    spacedText,
    fc.string({
      unit: fc.constantFrom(..."東京都大学のデータベースทำงานที่น้ำຳខ្មែរမြန်မာa1 -👍🏽🇩🇪\u200d\ufe0f"),
    }),
  );

  test("every prefix of every word of a text finds it, and none that goes on otherwise", () => {
    fc.assert(
      fc.property(spacedText, (text) => {
        const indexWords = searchWords([text]);
        const words = foldText(text).match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gv) ?? [];
        for (const codePoints of words.map((found) => Array.from(found))) {
          for (let length = 1; length <= codePoints.length; length++) {
            const prefix = codePoints.slice(0, length).join("");
            expect(isFound(prefix, indexWords)).toBe(true);
            expect(isFound(`${prefix}q`, indexWords)).toBe(false); // no word above has a q
          }
        }
      }),
    );
  });

  test("two long words that differ somewhere are told apart from there on", () => {
    const pair = fc
      .integer({ min: 64, max: 300 })
      .chain((length) => fc.tuple(fc.constant(length), fc.nat(length - 1)));
    fc.assert(
      fc.property(pair, ([length, at]) => {
        const stored = `${"a".repeat(at)}b${"a".repeat(length - at - 1)}`;
        const indexWords = searchWords([stored]);
        expect(isFound("a".repeat(at + 1), indexWords)).toBe(false);
        expect(isFound("a".repeat(length), indexWords)).toBe(false);
        expect(isFound(stored, indexWords)).toBe(true);
      }),
    );
  });

  test("a text is found by the whole of it", () => {
    fc.assert(
      fc.property(mixedText, (text) => {
        const indexWords = searchWords([text]);
        expect(isFound(text, indexWords)).toBe(indexWords.length > 0);
      }),
      { numRuns: 1_000 },
    );
  });

  test("index words are bounded, distinct and hold no space, and no control character but the block mark", () => {
    const long = mixedText.chain((text) =>
      fc.integer({ min: 1, max: 40 }).map((times) => text.repeat(times)),
    );
    fc.assert(
      fc.property(long, (text) => {
        const indexWords = searchWords([text]);
        expect(new Set(indexWords).size).toBe(indexWords.length);
        for (const indexWord of [...indexWords, ...queryWords(text)]) {
          const { hash, block } = partsOf(indexWord);
          expect(hash).toMatch(/^(?:[\w\-]{16})?$/v);
          expect(block).toMatch(/^[\p{L}\p{M}\p{N}\p{RI}\p{ExtPict}]+$/v);
          expect(indexWord).not.toMatch(/[\s\p{Z}\p{Default_Ignorable_Code_Point}]/v);
          expect(lengthOf(indexWord)).toBeLessThanOrEqual(MAX_INDEX_WORD_LENGTH);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  test("words of scripts with spaces stay themselves when they are split once more", () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: SPACED_LETTER, maxLength: 20 })), (texts) => {
        const words = searchWords(texts);
        expect(searchWords([words.join(" ")])).toEqual(words);
      }),
    );
  });
});

test("the version names the character data that the words depend on", () => {
  expect(NORMALISER_VERSION).toBe(`1/${process.versions.unicode}/${process.versions.icu}`);
});

test("MAX_INDEX_WORD_LENGTH is the length of a full later block", () => {
  expect(Math.max(...searchWords(["a".repeat(200)]).map(lengthOf))).toBe(MAX_INDEX_WORD_LENGTH);
});
