import { describe, expect, test } from "@jest/globals";
import fc from "fast-check";
import { ServiceError } from "../../../../lib/errors.ts";
import { paramsFromBody, paramsFromQuery, queryParamsOf } from "../../../../services/gateway/params.ts";

const known = queryParamsOf({
  type: "object",
  properties: { page: { type: "integer" }, q: { type: "string" }, id: { type: "string" } },
});

/** The member at fault and what is wrong with it, or undefined where nothing is. */
function faultOf(work: () => unknown): unknown {
  try {
    work();
    return undefined;
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error;
    return [error.errorCode, error.details[0]?.path, error.details[0]?.message];
  }
}

describe("paramsFromQuery", () => {
  test.each([
    ["", {}],
    ["&&", {}],
    ["page=2&q=a+b", { page: 2, q: "a b" }],
    ["page=007", { page: 7 }],
    ["page=999999999999999", { page: 999_999_999_999_999 }],
    ["page=100000000000000000000", { page: 1e20 }],
    ["q=2", { q: "2" }],
    ["page=-1", { page: -1 }],
    ["q=", { q: "" }],
    ["q", { q: "" }],
    ["q=a=b", { q: "a=b" }],
    ["q=%26%3D%2B", { q: "&=+" }],
    ["%71=x", { q: "x" }],
    ["q=caf%C3%A9", { q: "café" }],
    ["q=__proto__", { q: "__proto__" }],
  ])("?%s", (query, params) => {
    expect(paramsFromQuery(query, known, {})).toEqual(params);
  });

  test.each(["0x1", "1e3", "--1", "1.5", "", " 1", "NaN"])(
    "page=%j stays text, for the schema to refuse",
    (text) => {
      const query = new URLSearchParams({ page: text }).toString();
      expect(paramsFromQuery(query, known, {})).toEqual({ page: text });
    },
  );

  test.each([
    ["unknown=1", "unknown", "is no query parameter here"],
    ["q[]=1", "q[]", "is no query parameter here"],
    ["q%5Ba%5D=1", "q[a]", "is no query parameter here"],
    ["__proto__=1", "__proto__", "is no query parameter here"],
    ["constructor=1", "constructor", "is no query parameter here"],
    ["=1", "", "is no query parameter here"],
    ["PAGE=1", "PAGE", "is no query parameter here"],
    ["q=1&q=1", "q", "must not be repeated"],
    ["q=1&%71=2", "q", "must not be repeated"],
    ["q=%zz", "q", "must be percent-encoded UTF-8"],
    ["q=%", "q", "must be percent-encoded UTF-8"],
    ["q=%ff", "q", "must be percent-encoded UTF-8"],
    ["%zz=1", "%zz", "must be percent-encoded UTF-8"],
    ["q=1;page=2&x=3", "x", "is no query parameter here"],
  ])("?%s is refused", (query, path, message) => {
    expect(faultOf(() => paramsFromQuery(query, known, {}))).toEqual(["invalid_request", path, message]);
  });

  test("a path parameter is none of the query", () => {
    const path = { id: "rec_1" };
    expect(paramsFromQuery("q=x", known, path)).toEqual({ q: "x", id: "rec_1" });
    expect(faultOf(() => paramsFromQuery("id=rec_2", known, path))).toEqual([
      "invalid_request",
      "id",
      "is no query parameter here",
    ]);
  });

  test("any text comes back as it was sent", () => {
    const text = fc.string({ unit: "grapheme" }).filter((value) => value.isWellFormed());
    fc.assert(
      fc.property(text, (q) => {
        expect(paramsFromQuery(`q=${encodeURIComponent(q)}`, known, {})).toEqual({ q });
        expect(paramsFromQuery(new URLSearchParams({ q }).toString(), known, {})).toEqual({ q });
      }),
    );
  });

  test("whatever the query, it is taken or refused, and touches nothing else", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary-ascii" }), (query) => {
        faultOf(() => paramsFromQuery(query, known, {}));
        expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeNames);
      }),
    );
  });
});

const prototypeNames = Object.getOwnPropertyNames(Object.prototype);

describe("paramsFromBody", () => {
  test("joins members of the body and parameters of the path", () => {
    expect(paramsFromBody({ name: "A" }, "", { id: "rec_1" })).toEqual({ name: "A", id: "rec_1" });
  });

  test("the body cannot say what the path says", () => {
    expect(faultOf(() => paramsFromBody({ id: "rec_2" }, "", { id: "rec_1" }))).toEqual([
      "invalid_request",
      "id",
      "is not known here",
    ]);
  });

  test("a query has nothing to say beside a body", () => {
    expect(faultOf(() => paramsFromBody({ name: "A" }, "name=B", {}))).toEqual([
      "invalid_request",
      "name",
      "is no query parameter here",
    ]);
  });
});

describe("queryParamsOf", () => {
  test.each([[undefined], [{}], [{ type: "object" }], [{ properties: [] }], ["text"]])(
    "a schema like %j has none",
    (schema) => {
      expect(queryParamsOf(schema).size).toBe(0);
    },
  );
});
