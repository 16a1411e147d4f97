import { createHash } from "node:crypto";
import { foldText } from "./fold-text.ts";

/**
 * Which words a text has, as `own version/Unicode/ICU`. Character data and dictionaries come with the runtime,
 * so rows indexed under another version may lack words that a query asks for and must be indexed again.
 */
export const NORMALISER_VERSION = `1/${process.versions.unicode}/${process.versions.icu}`;

const BLOCK_CODE_POINTS = 64;
/** No word can begin with it, so the later blocks of long words never answer to a query for a short one. */
const LATER_BLOCK_MARK = "\u0001";
const HASH_CHARACTERS = 16;

/** The longest index word, in code points: what a database column must hold. */
export const MAX_INDEX_WORD_LENGTH = LATER_BLOCK_MARK.length + HASH_CHARACTERS + BLOCK_CODE_POINTS;

const BEYOND_ASCII = /[\u0080-\uffff]/;
const ASCII_WORD = /[a-z0-9]+/g;

/**
 * A flag (two regional indicators), an emoji, or a run of letters and numbers with the marks within it.
 * Emoji are the pictographs but for the punctuation among them (〰) and those below U+2300, which plain text
 * uses as signs and arrows (©, ®, ↔). Skin tones and joiners are none, so they are not asked for.
 */
const WORD =
  /\p{Regional_Indicator}{2}|[\p{Extended_Pictographic}--\p{P}--[\u{a9}-\u{22ff}]]|[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gv;

/** Scripts that write words without a space between them. */
const UNSPACED_SCRIPT =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Lao}\p{Script=Khmer}\p{Script=Myanmar}]/v;

/** No run has it, and no word goes across it. */
const RUN_END = "\n";

/** The locale is fixed, so that the host's settings do not change what is found. */
const segmenter = new Intl.Segmenter("en", { granularity: "word" });

/**
 * The words under which texts are found. They hold no space, and no control character but the U+0001 that a
 * later block of a long word begins with.
 *
 * @param texts the searchable texts of one record (a list of them, not one string)
 * @returns distinct index words of at most MAX_INDEX_WORD_LENGTH code points, in the order of first occurrence
 */
export function searchWords(texts: Iterable<string>): string[] {
  const indexWords = new Set<string>();
  for (const word of wordsOf([...texts])) {
    if (isShort(word)) indexWords.add(word);
    else for (const block of blocksOf(word)) indexWords.add(block);
  }
  return [...indexWords];
}

/**
 * What a query asks for: a text is found when each of the prefixes begins one of its index words. In scripts
 * without spaces a dictionary says where a word ends, so half a word may fall apart otherwise and not be found.
 *
 * @param q a query as typed; it has no operators
 * @returns distinct prefixes without those that another one implies, sorted by code unit; empty when the query
 *   has no word, which finds nothing
 */
export function queryWords(q: string): string[] {
  const words = [...new Set(wordsOf([q]))].sort();
  return words
    .filter((word, at) => !words[at + 1]?.startsWith(word)) // sorted, what begins with a word comes next to it
    .map((word) => (isShort(word) ? word : (blocksOf(word).at(-1) ?? word)));
}

/** The words of texts in their order, repeated ones too. */
function wordsOf(texts: readonly string[]): string[] {
  const runs = texts.flatMap(runsOf);
  const unspaced = texts.some(isBeyondAscii) ? runs.filter(isUnspaced) : [];
  if (unspaced.length === 0) return runs;
  const segmented = segmentsOf(unspaced).values();
  return runs.flatMap((run) => (isUnspaced(run) ? (segmented.next().value ?? []) : run));
}

/** What stands between separators. */
function runsOf(text: string): string[] {
  if (!isBeyondAscii(text)) return text.toLowerCase().match(ASCII_WORD) ?? [];
  return foldText(text).match(WORD) ?? [];
}

function isBeyondAscii(text: string): boolean {
  return BEYOND_ASCII.test(text);
}

function isUnspaced(run: string): boolean {
  return UNSPACED_SCRIPT.test(run);
}

/**
 * The words of each run. All runs go through the segmenter at once: what ICU sets up for each text that it is
 * given costs more than to read it, and thousands of them hold the process when they are collected.
 */
function segmentsOf(runs: readonly string[]): string[][] {
  const words: string[][] = [[]];
  for (const { segment } of segmenter.segment(runs.join(RUN_END))) {
    if (segment === RUN_END) words.push([]);
    else words.at(-1)?.push(segment);
  }
  return words;
}

function isShort(word: string): boolean {
  return word.length <= BLOCK_CODE_POINTS; // in code units: one that is longer may still fit in a single block
}

/**
 * Cuts a word into blocks of 64 code points. Each but the first carries a hash of all that comes before it in
 * the word, so the block in which a prefix ends stands for the whole prefix, and one range of the index
 * answers it exactly, however long it is.
 */
function blocksOf(word: string): string[] {
  const codePoints = Array.from(word);
  const before = createHash("sha256");
  const blocks: string[] = [];
  for (let start = 0; start < codePoints.length; start += BLOCK_CODE_POINTS) {
    const block = codePoints.slice(start, start + BLOCK_CODE_POINTS).join("");
    blocks.push(start === 0 ? block : LATER_BLOCK_MARK + shortHash(before.copy()) + block);
    before.update(block);
  }
  return blocks;
}

function shortHash(hash: ReturnType<typeof createHash>): string {
  return hash.digest("base64url").slice(0, HASH_CHARACTERS);
}
