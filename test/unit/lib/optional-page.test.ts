import { describe, expect, test } from "@jest/globals";
import { readOptionalPage, takePart } from "../../../lib/optional-page.ts";

const items = Array.from({ length: 45 }, (_, index) => index);
const taken = (params: { page?: number; per_page?: number }) => takePart(items, readOptionalPage(params));

describe("a list that need not be paged", () => {
  test("comes whole where no page is asked for", () => {
    expect(taken({})).toEqual(items);
    expect(readOptionalPage({})).toEqual({ offset: 0, limit: undefined });
  });

  test.each([
    [{ page: 1 }, 0, 20],
    [{ page: 3 }, 40, 45],
    [{ page: 4 }, 45, 45],
    [{ per_page: 7 }, 0, 7],
    [{ page: 2, per_page: 7 }, 7, 14],
    [{ per_page: 1_000 }, 0, 45],
  ])("comes in pages with %j", (params, from, to) => {
    expect(taken(params)).toEqual(items.slice(from, to));
  });

  test("serves more than 100 a page as 100", () => {
    expect(readOptionalPage({ page: 2, per_page: 500 })).toEqual({ offset: 100, limit: 100 });
  });

  test("refuses too deep a page, and names the way that there is", () => {
    expect(() => readOptionalPage({ page: 5_000 })).not.toThrow();
    const message =
      "is too deep: page times per_page must be at most 100,000; without page and per_page the list comes whole";
    expect(() => readOptionalPage({ page: 5_001 })).toThrow(
      expect.objectContaining({ errorCode: "invalid_request", details: [{ path: "page", message }] }),
    );
  });
});
