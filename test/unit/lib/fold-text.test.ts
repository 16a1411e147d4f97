import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { foldText } from "../../../lib/fold-text.ts";

const UNICODE_TEXT = fc.string({ unit: "binary" });

/** Characters that folding treats in a way of their own, thick enough to meet each other. */
const AWKWARD_TEXT = fc.string({
  unit: fc.constantFrom(
    ..."aßẞςΣσİıſKﬁµ",
    ..."\u0301\u0323\u0345\u20e3\ufe0f\u200d\u200c\u00ad\u200b\u034f",
    ..."かハ\u3099\u309a\u309bﾊﾞ",
    ..."ท\u0e4d\u0e49\u0e32\u0e33\u0ecd\u0eb2\u0eb3",
    ..."क\u093c\u094d\u09c7\u09be\u09cb\u0f71\u0f72\u0f77\u0f81",
    ..."\u1112\u1161\u11ab한ㄱㅏㄳ\u1160",
  ),
  maxLength: 30,
});

/** More marks on a letter than folding keeps, of several classes, some of which fall apart into two or three. */
const HEAVILY_MARKED_TEXT = fc.string({
  unit: fc.constantFrom(..."क\u093c\u094d\u0f71\u0f77\u0f81\u3099\u0e4d\u0e49\u0344\u200d\u200b"),
  minLength: 30,
  maxLength: 150,
});

/** Chinese characters are left out: there are 100,000 of them, and none has case, accents or parts. */
function everyAssignedCharacter(): string[] {
  const characters = Array.from({ length: 0x110000 }, (_, codePoint) => String.fromCodePoint(codePoint));
  return characters.filter((character) => /[^\p{Cn}\p{Co}\p{Cs}\p{Unified_Ideograph}]/v.test(character));
}

describe("foldText", () => {
  test.each([
    ["case", "HELLO", "hello"],
    ["accents", "Crème Brûlée", "creme brulee"],
    ["composed and decomposed accents", "e\u0301\u00e9", "ee"],
    ["Cyrillic", "ЁЙ", "еи"],
    ["Greek final sigma", "Σίσυφος ΣΊΣΥΦΟΣ", "σισυφοσ σισυφοσ"],
    ["Greek iota subscript", "τῷ", "τω"],
    ["sharp s", "ß ẞ SS", "ss ss ss"],
    ["Turkish i", "İıIi", "iiii"],
    ["Arabic harakat", "مُحَمَّد", "محمد"],
    ["Hebrew niqqud", "שָׁלוֹם", "שלום"],
    ["compatibility forms", "ﬁ①ｶﾞ㎏", "fi1ガkg"],
    ["variation selectors", "❤\ufe0f❤\ufe0e", "❤❤"],
    ["joiners, soft hyphens, direction marks", "a\u200db\u00adc\u200ed\ufeff", "abcd"],
  ])("drops or evens out: %s", (_what, text, folded) => {
    expect(foldText(text)).toBe(folded);
  });

  test.each([
    ["Devanagari vowel signs", "कि", "की"],
    ["Thai tone marks", "มา", "ม้า"],
    ["Japanese voiced marks", "は", "ば"],
    ["Japanese half-voiced marks", "ば", "ぱ"],
    ["Bengali vowel signs", "কে", "কো"],
  ])("keeps apart: %s", (_what, one, other) => {
    expect(foldText(one)).not.toBe(foldText(other));
  });

  test("leaves the Thai and Lao vowel AM in one piece, as dictionaries have it", () => {
    expect(foldText("น้ำ")).toBe("น้ำ");
    expect(foldText("ນ້ຳ")).toBe("ນ້ຳ");
  });

  test("folding a folded character changes nothing, and neither does its case; all of Unicode", () => {
    const iotaSubscript = /\u0345/; // its upper case is a letter of its own, as an accent it is dropped
    const unstable = everyAssignedCharacter().filter((character) => {
      const folded = foldText(character);
      if (foldText(folded) !== folded) return true;
      if (iotaSubscript.test(character.normalize("NFKD"))) return false;
      return foldText(character.toUpperCase()) !== folded || foldText(character.toLowerCase()) !== folded;
    });
    expect(unstable).toEqual([]);
  });

  test("folding a folded text changes nothing", () => {
    fc.assert(
      fc.property(fc.oneof(UNICODE_TEXT, AWKWARD_TEXT, HEAVILY_MARKED_TEXT), (text) => {
        const folded = foldText(text);
        expect(foldText(folded)).toBe(folded);
      }),
      { numRuns: 2_000 },
    );
  });

  test("how a text is composed does not matter", () => {
    fc.assert(
      fc.property(fc.oneof(UNICODE_TEXT, AWKWARD_TEXT), (text) => {
        expect(foldText(text.normalize("NFD"))).toBe(foldText(text));
        expect(foldText(text.normalize("NFC"))).toBe(foldText(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test("thousands of marks on one letter are cut to thirty, which keeps the time linear", () => {
    const marks = "\u094d".repeat(5_000) + "\u093c".repeat(5_000);
    expect(foldText(`क${marks}`)).toBe(`क${"\u094d".repeat(30)}`);
  });

  test("a lone surrogate does no harm", () => {
    expect(foldText("a\ud800É")).toBe("a\ud800e");
  });
});
