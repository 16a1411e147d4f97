/**
 * What makes no difference to a reader who searches.
 *
 * Accents: a vowel sign of Devanagari or Thai is a nonspacing mark too, but tells words apart, so only the
 * scripts in which a mark decorates a letter are listed. The Japanese voiced marks (U+3099, U+309A) are of
 * script Inherited as well, yet は, ば and ぱ are three letters.
 *
 * Characters that show nothing: variation selectors, joiners, soft hyphens, direction marks, the tags of
 * regional flags. The zero width space stays: Thai and Khmer part words with it.
 */
const NEGLIGIBLE =
  /[[[[\p{Mn}\p{Me}]&&[\p{Script=Inherited}\p{Script=Latin}\p{Script=Greek}\p{Script=Cyrillic}\p{Script=Hebrew}\p{Script=Arabic}]]--[\u{3099}\u{309a}]][\p{Default_Ignorable_Code_Point}--[\u{200b}]]]/gv;

/**
 * Normalising sorts the marks of a letter in quadratic time: ten thousand on one letter would take 60 ms.
 * Thirty is what Unicode's stream-safe format allows, and more than any language writes.
 */
const EXCESSIVE_MARKS =
  /(?<kept>[\p{M}\p{Default_Ignorable_Code_Point}]{30})[\p{M}\p{Default_Ignorable_Code_Point}]+/gv;

/** NFKD takes the Thai and Lao vowel AM apart and NFC leaves it so; dictionaries know it only in one piece. */
const THAI_AM = /\u0e4d\u0e32/g;
const LAO_AM = /\u0ecd\u0eb2/g;

/**
 * The form in which texts are compared: without case, accents, compatibility forms (ﬁ, ①, ｶ) and invisible
 * characters, in NFC. The iota subscript of Greek counts as an accent.
 *
 * @param text any string; a lone surrogate is kept as it is
 * @returns the folded text, which may be longer or shorter; folding it once more changes nothing
 */
export function foldText(text: string): string {
  const decomposed = limitMarks(text).normalize("NFKD");
  // Limited again, because one mark may have become several.
  const plain = limitMarks(decomposed.replace(NEGLIGIBLE, ""));
  return foldCase(plain).normalize("NFC").replace(THAI_AM, "\u0e33").replace(LAO_AM, "\u0eb3");
}

function limitMarks(text: string): string {
  return text.replace(EXCESSIVE_MARKS, "$<kept>");
}

/** Upper case first, so that letters with several lower cases (σ and ς) or a longer upper one (ß, SS) meet. */
function foldCase(text: string): string {
  return (
    text
      .toUpperCase()
      .toLowerCase()
      // What the way there and back leaves apart: the sigma at a word's end, and ẞ, which is upper case already.
      .replaceAll("ς", "σ")
      .replaceAll("ß", "ss")
  );
}
