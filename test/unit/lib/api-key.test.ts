import { createHash } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { apiKeyHint, hashApiKey, isMistyped, newApiKey } from "../../../lib/api-key.ts";

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const PREFIX_LENGTH = "wds_".length;

const keys = fc.constant(null).map(newApiKey);
/** A key, and a place in it behind the prefix that leaves room for a neighbour. */
const keysWithPlace = keys.chain((key) =>
  fc.tuple(fc.constant(key), fc.integer({ min: PREFIX_LENGTH, max: key.length - 2 })),
);

describe("a new API key", () => {
  test("has the documented form and is not mistyped", () => {
    fc.assert(
      fc.property(keys, (key) => {
        expect(key).toMatch(/^wds_[0-9A-Za-z]{40,}$/);
        expect(isMistyped(key)).toBe(false);
      }),
    );
  });

  test("is never made twice", () => {
    const made = Array.from({ length: 1_000 }, newApiKey);
    expect(new Set(made).size).toBe(made.length);
  });

  test("carries at least 160 random bits before its checksum", () => {
    const randomCharacters = newApiKey().length - PREFIX_LENGTH - 6;
    expect(randomCharacters * Math.log2(ALPHABET.length)).toBeGreaterThan(160);
  });

  test("uses the whole alphabet", () => {
    const used = new Set(
      Array.from({ length: 200 }, newApiKey).flatMap((key) => [...key.slice(PREFIX_LENGTH)]),
    );
    expect([...used].sort().join("")).toBe([...ALPHABET].sort().join(""));
  });
});

describe("a mistyped key", () => {
  test("is found out when one character is another", () => {
    fc.assert(
      fc.property(keysWithPlace, fc.constantFrom(...ALPHABET), ([key, place], character) => {
        fc.pre(key[place] !== character);
        expect(isMistyped(key.slice(0, place) + character + key.slice(place + 1))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("is found out when two neighbours are swapped", () => {
    fc.assert(
      fc.property(keysWithPlace, ([key, place]) => {
        const [first, second] = [key.charAt(place), key.charAt(place + 1)];
        fc.pre(first !== second);
        expect(isMistyped(key.slice(0, place) + second + first + key.slice(place + 2))).toBe(true);
      }),
      { numRuns: 2_000 },
    );
  });

  test("is none where an operator chose a key in a form of its own", () => {
    for (const chosen of ["wds_bootstrap-key-of-mine", "correct horse battery staple", `${newApiKey()}x`]) {
      expect(isMistyped(chosen)).toBe(false);
    }
  });
});

test("a key is stored as its SHA-256", () => {
  expect(hashApiKey("wds_abc")).toBe(createHash("sha256").update("wds_abc").digest("hex"));
});

test("a hint is the key's first eight characters", () => {
  expect(apiKeyHint("wds_abcdefgh")).toBe("wds_abcd");
});
