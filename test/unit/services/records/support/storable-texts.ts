import fc from "fast-check";

/** What databases, JSON or SQL have been known to change: padding, quotes, escapes, placeholders, odd spaces. */
const delicateTexts = [
  " ",
  "a ",
  " a",
  "A",
  "é",
  "e\u0301",
  "'",
  '"',
  "\\",
  "\\u0000",
  '\\"',
  "%_",
  "?",
  "$1",
  ":name",
  "\r\n",
  "\u0001",
  "\u001a",
  "\u0085",
  "\u2028",
  "\ufeff",
  "\uff5e",
  "\uffff",
  "\u{10000}",
  "😀",
  "\u{10ffff}",
  "null",
  "0",
  "1e3",
  '{"0":',
  ',"__proto__":',
];

/** Any text without U+0000 and lone surrogates, of 1 to so many code points. */
export function storableTexts(maxCodePoints: number): fc.Arbitrary<string> {
  return fc.oneof(
    fc.constantFrom(...delicateTexts),
    fc
      .array(fc.constantFrom(...delicateTexts), { minLength: 1, maxLength: 5 })
      .map((parts) => [...parts.join("")].slice(0, maxCodePoints).join("")),
    fc
      .string({ unit: "binary", minLength: 1, maxLength: maxCodePoints })
      .filter((text) => !text.includes("\u0000")),
  );
}

const fieldKeys = fc.oneof(
  storableTexts(64),
  fc.constantFrom("__proto__", "constructor", "toString", "length", "0", "1", "10", "2", "01", "-1"),
);

export type FieldMember = readonly [key: string, value: string];

/** The members of a `fields` object, their keys in any order. */
export const fieldMembers: fc.Arbitrary<FieldMember[]> = fc.uniqueArray(
  fc.tuple(fieldKeys, fc.oneof(fc.constant(""), storableTexts(300))),
  { selector: ([key]) => key, maxLength: 6 },
);

/** The members as a client sends them. */
export function fieldsText(members: Iterable<FieldMember>): string {
  const texts = Array.from(members, ([key, value]) => `${JSON.stringify(key)}:${JSON.stringify(value)}`);
  return `{${texts.join(",")}}`;
}
