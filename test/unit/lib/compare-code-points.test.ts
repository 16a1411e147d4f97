import { expect, test } from "@jest/globals";
import fc from "fast-check";
import { compareCodePoints } from "../../../lib/compare-code-points.ts";

/** The places where UTF-16 units and code points are of two minds about the order. */
const turningPoints = fc.constantFrom(
  "\ud7ff",
  "\ue000",
  "\uff5e",
  "\uffff",
  "\u{10000}",
  "\u{1f600}",
  "\u{10ffff}",
);
const anyCharacter = fc.oneof(turningPoints, fc.string({ unit: "binary", minLength: 1, maxLength: 1 }));
const wellFormed = fc.array(anyCharacter, { maxLength: 6 }).map((characters) => characters.join(""));

const compareBytes = (left: string, right: string) => Buffer.compare(Buffer.from(left), Buffer.from(right));

test("texts stand in the order of their UTF-8 bytes, as in both databases", () => {
  fc.assert(
    fc.property(wellFormed, wellFormed, (left, right) => {
      expect(Math.sign(compareCodePoints(left, right))).toBe(compareBytes(left, right));
    }),
    { numRuns: 1_000 },
  );
});

test("a text and its continuation differ by the continuation alone", () => {
  fc.assert(
    fc.property(wellFormed, wellFormed, (text, more) => {
      expect(Math.sign(compareCodePoints(text, text + more))).toBe(more === "" ? 0 : -1);
    }),
  );
});

test("it is a total order: any texts can be sorted by it", () => {
  fc.assert(
    fc.property(fc.array(wellFormed, { maxLength: 20 }), (texts) => {
      expect(texts.toSorted(compareCodePoints)).toEqual(texts.toSorted(compareBytes));
    }),
  );
});

test("an emoji comes after a fullwidth tilde, though its first UTF-16 unit is smaller", () => {
  expect("\u{1f600}" < "\uff5e").toBe(true);
  expect(compareCodePoints("\u{1f600}", "\uff5e")).toBeGreaterThan(0);
});
