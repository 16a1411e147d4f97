import { describe, expect, test } from "@jest/globals";
import { parseOrdered } from "../../../../lib/ordered-json.ts";
import { renderEnvelope } from "../../../../services/gateway/envelopes.ts";

describe("renderEnvelope", () => {
  test("one resource, its keys as the client sent them", () => {
    const fields = parseOrdered('{"b":"1","10":"2","__proto__":"3"}');
    expect(renderEnvelope("item", { id: "rec_1", fields })).toBe(
      '{"success":true,"data":{"id":"rec_1","fields":{"b":"1","10":"2","__proto__":"3"}}}',
    );
  });

  test("a list, with whatever describes it as its meta", () => {
    expect(renderEnvelope("list", { items: [{ id: "rec_1" }], page: 1, total: 1, next_cursor: null })).toBe(
      '{"success":true,"data":[{"id":"rec_1"}],"meta":{"page":1,"total":1,"next_cursor":null}}',
    );
  });

  test("description alone", () => {
    expect(renderEnvelope("meta", { deleted: 1, failed: 2 })).toBe(
      '{"success":true,"meta":{"deleted":1,"failed":2}}',
    );
  });

  test("nothing", () => {
    expect(renderEnvelope("none", null)).toBeUndefined();
  });

  test.each([[undefined], [null], [{}], [{ items: "text" }]])("a list of %j is a defect", (result) => {
    expect(() => renderEnvelope("list", result)).toThrow("must give `items`");
  });
});
