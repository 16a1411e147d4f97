import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { ServiceError } from "../../../lib/errors.ts";
import { type ListPosition, type ListScope, type Page, readPage, toListResult } from "../../../lib/paging.ts";
import { isStorable } from "../../../lib/validator.ts";

const byName: ListScope = {
  parts: ["records", "ws_1", "name", "asc", undefined, "active"],
  valueType: "string",
};
const byTime: ListScope = { parts: ["records", "ws_1", "updated_at", "asc"], valueType: "number" };

const storable = fc.string({ unit: "binary" }).filter(isStorable);
const perPage = fc.integer({ min: 1, max: 100 });

/** The cursor that leads on from a page that ends at the position. */
function cursorAfter(position: ListPosition, scope: ListScope, page = 1): string {
  const onePerPage: Page = { page, perPage: 1, offset: 0, after: undefined };
  const { next_cursor } = toListResult(onePerPage, scope, ["item"], [position, position], 2);
  if (next_cursor === null) throw new Error("There is a next page, and no cursor leads to it.");
  return next_cursor;
}

const encode = (content: unknown) => Buffer.from(JSON.stringify(content)).toString("base64url");

function decode(cursor: string): unknown[] {
  return JSON.parse(Buffer.from(cursor, "base64url").toString());
}

/** The error of reading the cursor, or undefined where it was read. */
function refusal(cursor: string, scope: ListScope): unknown {
  try {
    readPage({ cursor }, scope);
    return undefined;
  } catch (error) {
    return error;
  }
}

function expectBadCursor(cursor: string, scope: ListScope, message = /./): void {
  const error = refusal(cursor, scope);
  expect(error).toBeInstanceOf(ServiceError);
  expect(error).toMatchObject({
    errorCode: "invalid_request",
    details: [{ path: "cursor", message: expect.stringMatching(message) }],
  });
}

describe("a page number", () => {
  test("is 1 and brings 20 items unless told", () => {
    expect(readPage({}, byName)).toEqual({ page: 1, perPage: 20, offset: 0, after: undefined });
  });

  test("skips the pages before it", () => {
    expect(readPage({ page: 4, per_page: 30 }, byName)).toMatchObject({ page: 4, perPage: 30, offset: 90 });
  });

  test.each([[100], [101], [1_000_000], [Number.MAX_SAFE_INTEGER]])(
    "of %i items is served as one of 100",
    (given) => {
      expect(readPage({ per_page: given }, byName).perPage).toBe(100);
    },
  );

  test("reaches as deep as 100,000 items", () => {
    expect(readPage({ page: 1_000, per_page: 100 }, byName).offset).toBe(99_900);
    expect(readPage({ page: 1_000, per_page: 5_000 }, byName).offset).toBe(99_900);
    expect(readPage({ page: 100_000, per_page: 1 }, byName).offset).toBe(99_999);
  });

  test.each([
    [1_001, 100],
    [100_001, 1],
    [5_001, undefined],
    [Number.MAX_VALUE, 1],
  ])("of %d by %p is too deep, and the answer names the limit and the cursor", (page, per_page) => {
    const message =
      "is too deep: page times per_page must be at most 100,000; go on with the cursor in next_cursor";
    expect(() => readPage({ page, per_page }, byName)).toThrow(`The request is not valid: page ${message}.`);
    expect(() => readPage({ page, per_page }, byName)).toThrow(
      expect.objectContaining({ errorCode: "invalid_request", details: [{ path: "page", message }] }),
    );
  });
});

describe("a cursor", () => {
  test("leads to the next page behind the last item, whatever that is sorted by", () => {
    fc.assert(
      fc.property(
        storable,
        storable,
        fc.integer({ min: 1, max: 1e9 }),
        perPage,
        (value, id, page, per_page) => {
          const cursor = cursorAfter({ value, id }, byName, page);
          expect(readPage({ cursor, per_page }, byName)).toEqual({
            page: page + 1,
            perPage: per_page,
            offset: 0,
            after: { value, id },
          });
        },
      ),
    );
    fc.assert(
      fc.property(fc.maxSafeInteger(), storable, (value, id) => {
        expect(readPage({ cursor: cursorAfter({ value, id }, byTime) }, byTime).after).toEqual({ value, id });
      }),
    );
  });

  test("wins over a page number, however deep", () => {
    const cursor = cursorAfter({ value: "b", id: "rec_2" }, byName);
    expect(readPage({ cursor, page: 100_000, per_page: 100 }, byName)).toMatchObject({ page: 2, offset: 0 });
  });

  test("goes through a URL as it is", () => {
    fc.assert(
      fc.property(storable, (value) => {
        expect(cursorAfter({ value, id: "rec_1" }, byName)).toMatch(/^[\w-]+$/);
      }),
    );
  });

  test("is refused where list, workspace, order or filters are others", () => {
    const parts = fc.array(fc.option(storable, { nil: undefined }), { maxLength: 4 });
    const differs = (one: unknown, other: unknown) => JSON.stringify(one) !== JSON.stringify(other);
    fc.assert(
      fc.property(parts, parts, (mine, other) => {
        fc.pre(differs(mine, other));
        const cursor = cursorAfter({ value: "a", id: "rec_1" }, { parts: mine, valueType: "string" });
        expectBadCursor(
          cursor,
          { parts: other, valueType: "string" },
          /^was made for other filters or another order$/,
        );
      }),
    );
  });

  test("tells an absent filter from an empty one", () => {
    const cursor = cursorAfter({ value: "a", id: "rec_1" }, { parts: [undefined], valueType: "string" });
    expectBadCursor(cursor, { parts: [""], valueType: "string" }, /other filters/);
  });
});

describe("a forged cursor", () => {
  const [version, scopeOfNames] = decode(cursorAfter({ value: "a", id: "rec_1" }, byName));
  const [, scopeOfTimes] = decode(cursorAfter({ value: 1, id: "rec_1" }, byTime));

  test("of any text is refused and breaks nothing", () => {
    const base64 = fc.uint8Array().map((bytes) => Buffer.from(bytes).toString("base64url"));
    fc.assert(
      fc.property(fc.oneof(base64, fc.string({ unit: "binary" }), fc.constant("")), (cursor) => {
        expectBadCursor(cursor, byName, /^is not a cursor of this service$/);
      }),
    );
  });

  test("of any JSON is refused and breaks nothing", () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false }), (content) =>
        expectBadCursor(encode(content), byName),
      ),
    );
  });

  test("with the right scope and members of any shape is refused, or is a position that can be asked for", () => {
    const member = fc.oneof(fc.jsonValue(), fc.constantFrom(1, 2, "a"));
    fc.assert(
      fc.property(fc.array(member, { maxLength: 4 }), fc.constantFrom(byName, byTime), (members, scope) => {
        const cursor = encode([version, scope === byName ? scopeOfNames : scopeOfTimes, ...members]);
        if (refusal(cursor, scope) !== undefined) return expectBadCursor(cursor, scope);
        const { page, after } = readPage({ cursor }, scope);
        expect(Number.isSafeInteger(page) && page > 1).toBe(true);
        expect([typeof after?.value, typeof after?.id]).toEqual([scope.valueType, "string"]);
      }),
    );
  });

  test.each([
    ["of another version", [2, scopeOfNames, 2, "a", "rec_1"]],
    ["without a version", [scopeOfNames, 2, "a", "rec_1"]],
    ["with a member too many", [version, scopeOfNames, 2, "a", "rec_1", 1]],
    ["to the first page", [version, scopeOfNames, 1, "a", "rec_1"]],
    ["to a page before the first", [version, scopeOfNames, -5, "a", "rec_1"]],
    ["to a part of a page", [version, scopeOfNames, 2.5, "a", "rec_1"]],
    ["to a page beyond counting", [version, scopeOfNames, 2 ** 53, "a", "rec_1"]],
    ["to a page that is text", [version, scopeOfNames, "2", "a", "rec_1"]],
    ["behind a number where text is sorted", [version, scopeOfNames, 2, 1, "rec_1"]],
    ["behind nothing", [version, scopeOfNames, 2, null, "rec_1"]],
    ["behind a list", [version, scopeOfNames, 2, ["a"], "rec_1"]],
    ["with an id that is no text", [version, scopeOfNames, 2, "a", { id: "rec_1" }]],
    ["with U+0000 in the value", [version, scopeOfNames, 2, "a\u0000", "rec_1"]],
    ["with U+0000 in the id", [version, scopeOfNames, 2, "a", "\u0000"]],
    ["with half of a surrogate pair", [version, scopeOfNames, 2, "\ud83d", "rec_1"]],
  ])("%s is refused", (_, content) => {
    expectBadCursor(encode(content), byName);
  });

  test("behind text where numbers are sorted is refused", () => {
    expectBadCursor(encode([version, scopeOfTimes, 2, "1", "rec_1"]), byTime);
  });

  test("behind a number that no database can compare is refused", () => {
    const content = `[${version},"${scopeOfTimes}",2,1e999,"rec_1"]`;
    expectBadCursor(Buffer.from(content).toString("base64url"), byTime);
  });
});

describe("a list's answer", () => {
  const positions = (count: number) =>
    Array.from({ length: count }, (_, index) => ({ value: `name ${index}`, id: `rec_${index}` }));

  test("holds no more than a page, and its cursor stands behind the last item of it", () => {
    fc.assert(
      fc.property(perPage, fc.integer({ min: 1, max: 50 }), (per_page, page) => {
        const asked: Page = { page, perPage: per_page, offset: 0, after: undefined };
        const found = positions(per_page + 1);
        const result = toListResult(asked, byName, found.slice(0, per_page), found, 1_000);
        expect(result).toMatchObject({ items: found.slice(0, per_page), page, per_page, total: 1_000 });
        expect(readPage({ cursor: result.next_cursor ?? "" }, byName)).toMatchObject({
          page: page + 1,
          after: found[per_page - 1],
        });
      }),
    );
  });

  test.each([[0], [1], [19], [20]])("of %i found for a page of 20 has no next cursor", (count) => {
    const found = positions(count);
    const result = toListResult(readPage({}, byName), byName, found, found, count);
    expect(result).toEqual({ items: found, page: 1, per_page: 20, total: count, next_cursor: null });
  });

  test("goes on where an item vanished between finding and fetching it", () => {
    const found = positions(3);
    const result = toListResult(readPage({ per_page: 2 }, byName), byName, found.slice(0, 1), found, 3);
    expect(result.items).toHaveLength(1);
    expect(readPage({ cursor: result.next_cursor ?? "" }, byName).after).toEqual(found[1]);
  });

  test("leads through a whole list, each item once, by cursors alone", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 1, max: 25 }), (count, per_page) => {
        const all = positions(count);
        const seen: ListPosition[] = [];
        let cursor: string | undefined;
        do {
          const page = readPage({ cursor, per_page }, byName);
          const start = page.after ? all.findIndex(({ id }) => id === page.after?.id) + 1 : 0;
          const found = all.slice(start, start + page.perPage + 1);
          const result = toListResult(page, byName, found.slice(0, page.perPage), found, count);
          seen.push(...result.items);
          cursor = result.next_cursor ?? undefined;
        } while (cursor !== undefined);
        expect(seen).toEqual(all);
      }),
    );
  });
});
