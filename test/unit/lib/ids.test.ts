import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { type IdKind, idPrefixes, idTimeMs, MAX_ID_LENGTH, newId } from "../../../lib/ids.ts";

const kinds: IdKind[] = ["workspace", "user", "key", "record", "event"];

describe("an id", () => {
  test.each([
    ["workspace", "ws_"],
    ["user", "usr_"],
    ["key", "key_"],
    ["record", "rec_"],
    ["event", "evt_"],
  ] as const)("of a %s begins with %s", (kind, prefix) => {
    expect(newId(kind)).toMatch(new RegExp(`^${prefix}[0-9A-HJKMNP-TV-Z]{26}$`));
  });

  test("fits its column", () => {
    for (const kind of kinds) expect(newId(kind).length).toBeLessThanOrEqual(MAX_ID_LENGTH);
  });

  test("tells when it was made", () => {
    const beforeMs = Date.now();
    const madeMs = idTimeMs("user", newId("user"));
    expect(madeMs).toBeGreaterThanOrEqual(beforeMs);
    expect(madeMs).toBeLessThanOrEqual(Date.now());
  });

  test("is made of the time that it is given", () => {
    const laterMs = Date.now() + 60_000;
    expect(idTimeMs("record", newId("record", laterMs))).toBe(laterMs);
  });
});

describe("ids made one after another", () => {
  const clocks = fc.array(fc.integer({ min: 1, max: Date.now() + 3_600_000 }), {
    minLength: 2,
    maxLength: 50,
  });

  test("sort in the order in which they were made, however the clock jumps", () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), clocks, (kind, readings) => {
        const ids = readings.map((nowMs) => newId(kind, nowMs));
        expect(ids).toEqual([...ids].sort());
        expect(new Set(ids).size).toBe(ids.length);
      }),
    );
  });

  test("keep the order of time within the millisecond too", () => {
    const nowMs = Date.now();
    const ids = Array.from({ length: 5_000 }, () => newId("event", nowMs));
    expect(ids).toEqual([...new Set(ids)].sort());
  });

  test("do not go back in time when the clock does", () => {
    const aheadMs = Date.now() + 7_200_000;
    const first = newId("record", aheadMs);
    const second = newId("record", aheadMs - 86_400_000);
    expect(idTimeMs("record", second)).toBe(aheadMs);
    expect(second > first).toBe(true);
  });

  test("keep their order across kinds, prefixes aside", () => {
    const bodies = kinds.map((kind) => newId(kind).slice(idPrefixes[kind].length));
    expect(bodies).toEqual([...bodies].sort());
  });
});
