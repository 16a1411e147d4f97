/**
 * JSON that keeps an object's members as and in the order in which they were sent.
 *
 * Some keys do not survive JavaScript: those that look like array indexes ("10") move to the front, and
 * assigning `__proto__` changes the prototype. Clients get their field keys back as they sent them, so such
 * keys carry a mark while they are inside the program: U+0000 in front. It cannot collide with a key that a
 * client sends, since strings with U+0000 are refused, and it passes between nodes as any other character.
 */
const MARK = "\u0000";
const delicateKey = /^(?:0|[1-9]\d*|__proto__)$/;

/**
 * Finds texts that JSON.parse alone would not read rightly: those with delicate keys, and those with a key that
 * is spelt with escapes. V8 may take the latter for one that it met in another text, of another client:
 * https://github.com/nodejs/node/issues/63785.
 */
const suspectText = /"(?:\d+|__proto__)"\s*:|[{,]\s*"[^"\\]*\\/;
/** What carries meaning in text that is known to be JSON: where keys and values stand tells the rest. */
const jsonToken = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]]|[^\s"{}[\],:]+/g;

/**
 * Parses JSON text into a value with marked keys. The type is the caller's word: name one only for text that
 * this program wrote.
 * @throws SyntaxError where the text is no JSON
 */
export function parseOrdered<Value = unknown>(text: string): Value {
  const value: Value = JSON.parse(text);
  return suspectText.test(text) ? build(text) : value;
}

/** An array or object that is being read, and the key that the next value of an object has. */
interface Open {
  readonly value: unknown[] | Record<string, unknown>;
  key: string | undefined;
}

/** Reads text that is known to be JSON, key by key. Without recursion: texts may be nested deeply. */
function build<Value>(text: string): Value {
  const root: Value[] = [];
  const stack: Open[] = [];
  let open: Open = { value: root, key: undefined };
  jsonToken.lastIndex = 0;
  for (let match = jsonToken.exec(text); match !== null; match = jsonToken.exec(text)) {
    const [token] = match;
    if (token === "{" || token === "[") {
      const value = token === "{" ? {} : [];
      add(open, value);
      stack.push(open);
      open = { value, key: undefined };
    } else if (token === "}" || token === "]") {
      open = stack.pop() ?? open;
    } else {
      addScalar(open, readScalar(token));
    }
  }
  const [value] = root;
  if (value === undefined) throw new SyntaxError("The text has no value.");
  return value;
}

function addScalar(open: Open, scalar: unknown): void {
  const isKey = open.key === undefined && !Array.isArray(open.value);
  if (isKey) open.key = markClientKey(String(scalar));
  else add(open, scalar);
}

function add(open: Open, value: unknown): void {
  if (Array.isArray(open.value)) open.value.push(value);
  else if (open.key !== undefined) open.value[open.key] = value;
  open.key = undefined;
}

function readScalar(token: string): unknown {
  const isPlainText = token.startsWith('"') && !token.includes("\\");
  return isPlainText ? token.slice(1, -1) : JSON.parse(token);
}

/** A mark that the client wrote itself gets another before it, and so does not pass for one. */
function markClientKey(key: string): string {
  return key.startsWith(MARK) ? MARK + key : markKey(key);
}

/** How U+0000 is written in JSON. */
const WRITTEN_MARK = "\\u0000";
/** A text in JSON, and the colon behind it where it is a key. */
const jsonText = /"([^"\\]*(?:\\.[^"\\]*)*)"(:?)/g;
/** Finds a text that begins with U+0000 and is no key. Such are not stored, but pass between nodes to be refused. */
const markedValue = /"\\u0000[^"\\]*(?:\\.[^"\\]*)*"(?!:)/;

/**
 * The JSON text of a value, its marked keys as the client sent them and in that order.
 * @param indent spaces a level; without it all is in one line
 */
export function stringifyOrdered(value: unknown, indent?: number): string {
  const text = JSON.stringify(value, undefined, indent);
  if (!text.includes(`"${WRITTEN_MARK}`)) return text;
  const areAllKeys = !markedValue.test(text) && !text.includes(`\\"${WRITTEN_MARK}`);
  if (areAllKeys) return text.replaceAll(`"${WRITTEN_MARK}`, '"');
  return text.replace(jsonText, (whole: string, content: string, colon: string) =>
    colon !== "" && content.startsWith(WRITTEN_MARK) ? `"${content.slice(WRITTEN_MARK.length)}":` : whole,
  );
}

/** The same members, each delicate key marked: for objects that did not come through {@link parseOrdered}. */
export function markKeys<Value>(members: Record<string, Value>): Record<string, Value> {
  if (!Object.keys(members).some((key) => delicateKey.test(key))) return members;
  return Object.fromEntries(Object.entries(members).map(([key, value]) => [markKey(key), value]));
}

function markKey(key: string): string {
  return delicateKey.test(key) && !key.startsWith(MARK) ? MARK + key : key;
}

/** A key as the client knows it. */
export function unmarkKey(key: string): string {
  return key.startsWith(MARK) ? key.slice(1) : key;
}
