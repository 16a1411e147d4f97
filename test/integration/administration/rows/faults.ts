import type { EndpointName } from "../support/endpoints.ts";
import type { Scenario } from "../support/scenario.ts";
import type { World } from "../support/world.ts";

/** What is wrong with a body, and what is said of it. */
export interface Fault {
  readonly why: string;
  readonly body: object | ((world: World) => object);
  readonly paths: readonly string[];
  /** 400 unless told. */
  readonly status?: 400 | 422;
  readonly says?: readonly string[];
}

/** The row that shows a fault at an endpoint. */
export function faultRow(at: EndpointName, { why, body, paths, status = 400, says }: Fault): Scenario {
  const code = status === 400 ? "invalid_request" : "unprocessable";
  return {
    at,
    why,
    change: (world) => ({ body: typeof body === "function" ? body(world) : body }),
    expected: { status, code, paths, says },
  };
}

export const shown = (value: unknown) => JSON.stringify(value);

/** A value of each type of JSON that is no string. */
export const noStrings: readonly unknown[] = [5, null, true, {}, []];

export const blanks = ["", " ", " \t\n", "\u00a0", "\u3000"];

/** Strings that one of JSON, SQLite and MariaDB cannot keep. */
export const notStorable = ["a\u0000b", "\u0000", "a\ud800b", "\udfff", "\ude00\ud83d"];

/** Strings that are kept exactly as they were sent. */
export const keptTexts: readonly { readonly why: string; readonly text: string }[] = [
  { why: "spaces before and behind", text: "  a  " },
  { why: "a line break behind", text: "a\r\n" },
  { why: "quotes, backslashes and controls", text: `"'\\\\n\b\f\u007f\u2028` },
  { why: "composed and decomposed accents", text: "\u00e9e\u0301" },
  { why: "emoji beyond the first plane", text: "👨‍👩‍👧🏿🇩🇪" },
  { why: "noncharacters", text: "\uffff\ufffe\u{10ffff}" },
  { why: "a text direction", text: "\u202eabc\u200f" },
  { why: "SQL", text: "'); DROP TABLE users; --" },
  { why: "markup", text: "<script>alert(1)</script>" },
];

/** Letters of one code point, of one unit of UTF-16 and of two. */
export const letters = ["x", "😀"];
