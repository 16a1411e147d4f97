/** What JSON text is made of, found in one pass over its bytes and without building anything. */
export interface BodyShape {
  /** Members and items in all; of text that is no JSON, something of the kind. */
  readonly values: number;
  readonly depth: number;
}

const QUOTE = 0x22;
const COMMA = 0x2c;
const BACKSLASH = 0x5c;
const OPEN_ARRAY = 0x5b;
const CLOSE_ARRAY = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** Measures JSON text in UTF-8, so that a body which would take long to parse can be refused before. */
export function measureBody(bytes: Uint8Array): BodyShape {
  let values = 0;
  let level = 0;
  let depth = 0;
  for (let at = 0; at < bytes.length; at += 1) {
    switch (bytes[at]) {
      case QUOTE:
        at = endOfText(bytes, at);
        break;
      case COMMA:
        values += 1;
        break;
      case OPEN_ARRAY:
      case OPEN_OBJECT:
        values += 1;
        level += 1;
        depth = Math.max(depth, level);
        break;
      case CLOSE_ARRAY:
      case CLOSE_OBJECT:
        level -= 1;
        break;
    }
  }
  return { values, depth };
}

/** Where the closing quote stands of the text whose opening one is at `start`. */
function endOfText(bytes: Uint8Array, start: number): number {
  let at = start + 1;
  while (at < bytes.length && bytes[at] !== QUOTE) at += bytes[at] === BACKSLASH ? 2 : 1;
  return at;
}
