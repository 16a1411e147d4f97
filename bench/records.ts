/**
 * The records that fill a store: the same for the same number, whoever asks and in whichever order, with
 * words spread as in real text (few are frequent, most are rare).
 */

export interface RecordInput {
  name: string;
  type: string;
  fields: Record<string, string>;
  tags: string[];
}

const VOCABULARY_SIZE = 4_000;
const CONSONANTS = "bcdfghjklmnprstvw";
const VOWELS = "aeiou";
export const TYPE_NAMES = ["document", "task", "note"] as const;
/** Half of the records are documents, three in ten tasks, the rest notes. */
const TYPE_SHARES = [0.5, 0.8, 1];

/** Words to search for. Each is in MATCHES_PER_MARKER records, whatever the size of the store. */
export const MARKER_COUNT = 50;
export const MATCHES_PER_MARKER = 20;

const vocabulary = makeVocabulary();

/** Numbers in [0, 1) that depend on the seed alone (mulberry32). */
export function createRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** The marker with this number. No other word begins with it: the vocabulary has neither q nor z. */
export function markerWord(number: number): string {
  return `zq${String.fromCharCode(97 + Math.floor(number / 26), 97 + (number % 26))}x`;
}

/** Record `index` of a store of `count`; every so many carry a marker word at the end of the name. */
export function seedRecord(index: number, count: number): RecordInput {
  const record = makeRecord(index);
  const step = Math.max(1, Math.floor(count / (MARKER_COUNT * MATCHES_PER_MARKER)));
  const turn = index / step;
  if (Number.isInteger(turn) && turn < MARKER_COUNT * MATCHES_PER_MARKER) {
    record.name += ` ${markerWord(turn % MARKER_COUNT)}`;
  }
  return record;
}

/** A record of about 250 bytes: 3 to 5 words, three fields, two tags. */
export function makeRecord(seed: number): RecordInput {
  const random = createRandom(Math.imul(seed + 1, 0x9e3779b1));
  return {
    name: words(random, 3 + Math.floor(random() * 3)),
    type: pickType(random),
    fields: {
      owner: words(random, 1),
      summary: words(random, 4),
      reference: `REF-${Math.floor(random() * 1_000_000)}`,
    },
    tags: [zipfWord(random), zipfWord(random)],
  };
}

/** A record whose `fieldCount` fields hold about `fieldBytes` of words each. */
export function makeLargeRecord(seed: number, fieldCount: number, fieldBytes: number): RecordInput {
  const random = createRandom(seed);
  const fields: Record<string, string> = {};
  for (let field = 0; field < fieldCount; field++) fields[`text_${field}`] = longText(random, fieldBytes);
  return { name: words(random, 4), type: pickType(random), fields, tags: [zipfWord(random)] };
}

/** Text of exactly `bytes` bytes. */
export function longText(random: () => number, bytes: number): string {
  let text = zipfWord(random);
  while (text.length < bytes) text += ` ${zipfWord(random)}`;
  return text.slice(0, bytes - 1).padEnd(bytes, "x");
}

function words(random: () => number, count: number): string {
  return Array.from({ length: count }, () => zipfWord(random)).join(" ");
}

/** The word of rank r comes about 1/r as often as the first one. */
function zipfWord(random: () => number): string {
  return vocabulary[Math.floor(VOCABULARY_SIZE ** random()) - 1] ?? "word";
}

function pickType(random: () => number): string {
  const share = random();
  return TYPE_NAMES[TYPE_SHARES.findIndex((limit) => share < limit)] ?? TYPE_NAMES[0];
}

function makeVocabulary(): string[] {
  const random = createRandom(1);
  const known = new Set<string>();
  while (known.size < VOCABULARY_SIZE) {
    const syllables = 1 + Math.ceil(random() * 3);
    let word = "";
    for (let i = 0; i < syllables; i++) word += pick([...CONSONANTS], random) + pick([...VOWELS], random);
    known.add(word);
  }
  return [...known];
}

function pick(choices: readonly string[], random: () => number): string {
  return choices[Math.floor(random() * choices.length)] ?? "";
}
