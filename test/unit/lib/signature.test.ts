import { describe, expect, test } from "@jest/globals";
import { signatureOf } from "../../../lib/signature.ts";

/** Test case 2 of RFC 4231, and what OpenSSL says of another text. */
const known = [
  {
    secret: "Jefe",
    body: "what do ya want for nothing?",
    hex: "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843",
  },
  {
    secret: "key",
    body: "The quick brown fox jumps over the lazy dog",
    hex: "f7bc83f430538424b13298e6aa6fb143ef4d59a14946175997479dbc2d1a3cd8",
  },
];

describe("a signature", () => {
  test.each(known)("of $body under $secret is the HMAC-SHA256 in lowercase hex", ({ secret, body, hex }) => {
    expect(signatureOf(Buffer.from(body), secret)).toBe(`sha256=${hex}`);
  });

  test("takes the secret as UTF-8, and differs for each secret and for each byte", () => {
    const body = Buffer.from('{"a":1}');
    const signatures = [
      signatureOf(body, "Gehöim\u{1f600}"),
      signatureOf(body, "Gehoim\u{1f600}"),
      signatureOf(body, "Gehöim\u{1f600} "),
      signatureOf(Buffer.from('{"a": 1}'), "Gehöim\u{1f600}"),
    ];
    expect(new Set(signatures).size).toBe(signatures.length);
    for (const signature of signatures) expect(signature).toMatch(/^sha256=[0-9a-f]{64}$/);
  });
});
