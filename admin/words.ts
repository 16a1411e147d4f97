import { UsageError } from "./command-line.ts";

/** What a word is made of: plain characters, one that a backslash takes as it is, or a quoted text. */
const wordPart = /([^\s"'\\]+)|\\([\s\S]?)|"((?:[^"\\]+|\\[\s\S])*)"|'([^']*)'/y;
/** What says where JSON ends: its texts and its brackets. */
const jsonPart = /"(?:[^"\\]+|\\[\s\S])*"|[{}[\]"]/g;
const blanks = /\s*/y;

/**
 * Splits a line into words as a shell does: blanks part them, quotes of either kind keep blanks, and outside
 * single quotes a backslash takes the next character as it is. One thing more: a word that begins with a
 * brace or bracket is JSON, and goes to where that ends with all its quotes.
 * @throws UsageError where a quote or bracket stays open
 */
export function splitWords(line: string): string[] {
  const words: string[] = [];
  let place = endOfBlanks(line, 0);
  while (place < line.length) {
    const { word, end } = /[{[]/.test(line[place] ?? "") ? readJson(line, place) : readWord(line, place);
    words.push(word);
    place = endOfBlanks(line, end);
  }
  return words;
}

interface ReadWord {
  readonly word: string;
  /** Where the line goes on behind it. */
  readonly end: number;
}

function endOfBlanks(line: string, start: number): number {
  blanks.lastIndex = start;
  blanks.test(line);
  return blanks.lastIndex;
}

function readWord(line: string, start: number): ReadWord {
  let word = "";
  let end = start;
  wordPart.lastIndex = start;
  for (let match = wordPart.exec(line); match; match = wordPart.exec(line)) {
    const [, plain = "", escaped = "", quoted = "", literal = ""] = match;
    word += plain + escaped + quoted.replace(/\\([\s\S])/g, "$1") + literal;
    end = wordPart.lastIndex;
  }
  if (/["']/.test(line[end] ?? "")) throw new UsageError(`A ${line[end]} is open at the end of the line.`);
  return { word, end };
}

function readJson(line: string, start: number): ReadWord {
  let depth = 0;
  jsonPart.lastIndex = start;
  for (let match = jsonPart.exec(line); match; match = jsonPart.exec(line)) {
    const [part] = match;
    if (part === '"') throw new UsageError('A " is open at the end of the line.');
    if (/^[{[]/.test(part)) depth += 1;
    else if (/^[}\]]/.test(part)) depth -= 1;
    if (depth === 0) return { word: line.slice(start, jsonPart.lastIndex), end: jsonPart.lastIndex };
  }
  throw new UsageError("A bracket is open at the end of the line.");
}
