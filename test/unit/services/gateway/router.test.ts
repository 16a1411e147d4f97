import { describe, expect, test } from "@jest/globals";
import { Router } from "../../../../services/gateway/router.ts";
import { routes } from "../../../../services/gateway/routes.ts";

const entries = [
  { method: "GET", path: "/v1/data" },
  { method: "POST", path: "/v1/data" },
  { method: "POST", path: "/v1/data/bulk-create" },
  { method: "GET", path: "/v1/data/:id" },
  { method: "DELETE", path: "/v1/data/:id" },
  { method: "POST", path: "/v1/hooks/:id/deliveries/:delivery_id/resend" },
];
const router = new Router(entries);

describe("Router", () => {
  test.each([
    ["/v1/data", entries[0], {}],
    ["/v1/data/rec_1", entries[3], { id: "rec_1" }],
    ["/v1/data/a%2Fb", entries[3], { id: "a/b" }],
    ["/v1/data/%C3%A9", entries[3], { id: "é" }],
    ["/v1/data/__proto__", entries[3], { id: "__proto__" }],
    ["/v1/data/constructor", entries[3], { id: "constructor" }],
    ["/v1/data/..", entries[3], { id: ".." }],
  ])("GET %s", (path, entry, params) => {
    const match = router.find(path);
    expect(match?.resource.byMethod.get("GET")).toBe(entry);
    expect(match?.params).toEqual(params);
  });

  test("several parameters keep their names", () => {
    const match = router.find("/v1/hooks/wh_1/deliveries/dlv_2/resend");
    expect(match?.params).toEqual({ id: "wh_1", delivery_id: "dlv_2" });
  });

  test.each([
    ["an unknown path", "/v1/nothing"],
    ["a slash at the end", "/v1/data/"],
    ["a slash behind a parameter", "/v1/data/rec_1/"],
    ["a slash too many", "//v1/data"],
    ["a slash within", "/v1//data"],
    ["another case", "/V1/data"],
    ["another case further on", "/v1/Data"],
    ["a part of a path", "/v1"],
    ["more than a path", "/v1/data/rec_1/fields"],
    ["an empty parameter", "/v1/hooks//deliveries/x/resend"],
    ["malformed percent-encoding", "/v1/data/%zz"],
    ["half of a character", "/v1/data/%C3"],
    ["nothing", ""],
    ["the root", "/"],
    ["no path", "*"],
    ["a name of the prototype", "/__proto__"],
  ])("%s finds nothing", (_, path) => {
    expect(router.find(path)).toBeUndefined();
  });

  test("a written-out segment wins over a parameter, whatever the method", () => {
    const match = router.find("/v1/data/bulk-create");
    expect([...(match?.resource.byMethod.keys() ?? [])]).toEqual(["POST"]);
    expect(match?.params).toEqual({});
  });

  test("GET answers HEAD too, and Allow says all that there is", () => {
    expect(router.find("/v1/data")?.resource.allow).toBe("GET, HEAD, POST");
    expect(router.find("/v1/data/x")?.resource.allow).toBe("DELETE, GET, HEAD");
    expect(router.find("/v1/data")?.resource.byMethod.get("HEAD")).toBe(entries[0]);
  });

  test("refuses tables that say two things", () => {
    const twice = { method: "GET", path: "/v1/data" };
    expect(() => new Router([twice, twice])).toThrow("Two routes for GET /v1/data");
    const names = [
      { method: "GET", path: "/a/:id" },
      { method: "GET", path: "/a/:name/b" },
    ];
    expect(() => new Router(names)).toThrow("both id and name");
  });

  test("the program's own table is one that it accepts", () => {
    expect(() => new Router(routes)).not.toThrow();
  });
});
