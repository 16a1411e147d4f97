/**
 * JSON that keeps the order of an object's members and survives `__proto__`.
 *
 * JavaScript objects move members that look like array indexes ("10") to the front, and assigning
 * `__proto__` changes the prototype. Clients get their field keys back as they sent them, so such keys
 * carry a mark while they are inside the program: U+0000 in front. It cannot collide with a key that a
 * client sends, since strings with U+0000 are refused, and it passes between nodes as any other character.
 */
const MARK = "\u0000";
const delicateKey = /^(?:0|[1-9]\d*|__proto__)$/;
/**
 * In valid JSON text only a member name stands between `{` or `,` and `:`; inside strings the quote is escaped.
 * Found here is each one that may be delicate, spelt with escapes or not, or begins with a U+0000 of the client's.
 */
const suspectMember =
  /(?<=[{,]\s*)"((?:[\d_prot]|\\u00[0-7][\da-fA-F])+|\\u0000[^"\\]*(?:\\.[^"\\]*)*)"(?=\s*:)/g;
const suspectHint = /"(?:\d+|__proto__)"\s*:|\\u00[0-7]/;

/**
 * Parses JSON text into a value with marked keys. The type is the caller's word: name one only for text that
 * this program wrote.
 * @throws SyntaxError where the text is no JSON
 */
export function parseOrdered<Value = unknown>(text: string): Value {
  return JSON.parse(suspectHint.test(text) ? text.replace(suspectMember, markMember) : text);
}

function markMember(quoted: string, name: string): string {
  const key: string = name.includes("\\") ? JSON.parse(quoted) : name;
  // A mark that the client wrote itself gets another before it, and so does not pass for one.
  return delicateKey.test(key) || key.startsWith(MARK) ? `"\\u0000${name}"` : quoted;
}

/** The JSON text of a value, its marked keys as the client sent them and in that order. */
export function stringifyOrdered(value: unknown): string {
  const text = JSON.stringify(value);
  return text.includes('"\\u0000') ? text.replaceAll('"\\u0000', '"') : text;
}

/** The same members, each delicate key marked: for objects that did not come through {@link parseOrdered}. */
export function markKeys<Value>(members: Record<string, Value>): Record<string, Value> {
  if (!Object.keys(members).some((key) => delicateKey.test(key))) return members;
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [markKey(key), value]));
}

function markKey(key: string): string {
  return delicateKey.test(key) ? MARK + key : key;
}

/** A key as the client knows it. */
export function unmarkKey(key: string): string {
  return key.startsWith(MARK) ? key.slice(1) : key;
}
