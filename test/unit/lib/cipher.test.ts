import { createHash, randomBytes } from "node:crypto";
import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { CannotOpen, Cipher } from "../../../lib/cipher.ts";

const PLACE = "integrations/int_1";
const oldKey = Buffer.alloc(32, "old");
const newKey = Buffer.alloc(32, "new");
const cipher = new Cipher(oldKey);

describe("what is sealed", () => {
  test("opens at its place, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary" }),
        fc.string({ unit: "binary", minLength: 1 }),
        (text, place) => {
          expect(cipher.open(cipher.seal(text, place), place)).toBe(text);
        },
      ),
    );
  });

  test("is the version, the key's id, and base64url without padding", () => {
    expect(cipher.seal("secret", PLACE)).toMatch(/^v1\.[0-9a-f]{12}\.[\w-]+$/);
    expect(cipher.seal("secret", PLACE).startsWith(cipher.prefix)).toBe(true);
    expect(cipher.prefix).toBe(`v1.${cipher.keyId}.`);
  });

  test("shows nothing of the text, and looks different each time", () => {
    const sealed = Array.from({ length: 50 }, () => cipher.seal("xoxb-secret", PLACE));
    expect(new Set(sealed).size).toBe(50);
    for (const each of sealed) {
      expect(Buffer.from(each.split(".")[2] ?? "", "base64url").includes("xoxb")).toBe(false);
    }
  });

  test("opens at no other place", () => {
    const sealed = cipher.seal("secret", PLACE);
    for (const place of ["integrations/int_2", "webhooks/int_1", "", `${PLACE} `]) {
      expect(() => cipher.open(sealed, place)).toThrow(CannotOpen);
    }
  });

  test("opens no more once a single bit of it is another", () => {
    const sealed = cipher.seal("secret", PLACE);
    const bytes = Buffer.from(sealed.slice(cipher.prefix.length), "base64url");
    for (let bit = 0; bit < bytes.length * 8; bit += 1) {
      const changed = Buffer.from(bytes);
      changed[bit >> 3] = (changed[bit >> 3] ?? 0) ^ (1 << (bit & 7));
      expect(() => cipher.open(cipher.prefix + changed.toString("base64url"), PLACE)).toThrow(CannotOpen);
    }
  });

  test.each([
    ["nothing", () => ""],
    ["a plain text", () => "xoxb-secret"],
    ["the beginning alone", () => cipher.prefix],
    ["another version", (sealed: string) => sealed.replace("v1", "v2")],
    ["too little", (sealed: string) => sealed.slice(0, cipher.prefix.length + 36)],
    ["less than all", (sealed: string) => sealed.slice(0, -4)],
    ["something behind it", (sealed: string) => `${sealed}.more`],
    ["a line feed behind it", (sealed: string) => `${sealed}\n`],
    ["an unknown key's id", (sealed: string) => sealed.replace(cipher.keyId, "0123456789ab")],
  ])("cannot be %s", (_, change) => {
    expect(() => cipher.open(change(cipher.seal("secret", PLACE)), PLACE)).toThrow(CannotOpen);
  });

  test("fails without telling the text", () => {
    const sealed = cipher.seal("xoxb-secret", PLACE);
    expect(() => cipher.open(sealed, "elsewhere")).not.toThrow(/xoxb/);
  });
});

describe("fingerprints", () => {
  const [old, current] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];

  test("are the same for the same text and key, and others for others", () => {
    const [first] = new Cipher(current).fingerprints("text");
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(new Cipher(current).fingerprints("text")).toEqual([first]);
    expect(new Cipher(current).fingerprints("text ")).not.toEqual([first]);
    expect(new Cipher(old).fingerprints("text")).not.toEqual([first]);
    expect(first).not.toBe(createHash("sha256").update("text").digest("hex"));
  });

  test("under an earlier key stand behind that under the current one", () => {
    expect(new Cipher(current, old).fingerprints("text")).toEqual([
      ...new Cipher(current).fingerprints("text"),
      ...new Cipher(old).fingerprints("text"),
    ]);
  });
});

describe("keys", () => {
  test("have ids that are the same for the same key, and tell nothing of it", () => {
    expect(new Cipher(Buffer.from(oldKey)).keyId).toBe(cipher.keyId);
    expect(new Cipher(newKey).keyId).not.toBe(cipher.keyId);
    expect(oldKey.toString("hex")).not.toContain(cipher.keyId);
  });

  test("rotate: the previous one opens, the current one seals", () => {
    const rotating = new Cipher(newKey, oldKey);
    const before = cipher.seal("secret", PLACE);
    expect(rotating.open(before, PLACE)).toBe("secret");
    const after = rotating.seal("secret", PLACE);
    expect(new Cipher(newKey).open(after, PLACE)).toBe("secret");
    expect(() => cipher.open(after, PLACE)).toThrow(CannotOpen);
    expect(() => new Cipher(newKey).open(before, PLACE)).toThrow(CannotOpen);
    expect([cipher.keyId, rotating.keyId].map((id) => rotating.hasKey(id))).toEqual([true, true]);
    expect(cipher.hasKey(rotating.keyId)).toBe(false);
  });

  test("of which one bears the other's name open nothing", () => {
    const forged = new Cipher(newKey).seal("secret", PLACE).replace(new Cipher(newKey).keyId, cipher.keyId);
    expect(() => new Cipher(newKey, oldKey).open(forged, PLACE)).toThrow(CannotOpen);
  });

  test.each([0, 16, 31, 33])("of %i bytes are none", (length) => {
    expect(() => new Cipher(randomBytes(length))).toThrow("A secret key has 32 bytes.");
    expect(() => new Cipher(newKey, randomBytes(length))).toThrow(RangeError);
  });
});
