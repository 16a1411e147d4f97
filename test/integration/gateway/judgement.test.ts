import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { newApiKey } from "../../../lib/api-key.ts";
import { expectRefusal } from "../../support/expect-refusal.ts";
import { type GatewayStub, startGatewayStub } from "../../support/gateway-stub.ts";
import { type RequestOptions, request } from "../../support/http.ts";

const MIB = 1024 * 1024;
const JSON_TYPE = { "Content-Type": "application/json" };

describe("what is judged first", () => {
  let stub: GatewayStub;
  beforeAll(async () => {
    stub = await startGatewayStub({ env: { RATE_LIMIT_REQUESTS: "0" } });
  });
  afterAll(() => stub.app.stop());
  beforeEach(() => {
    stub.calls.length = 0;
    stub.lookUps.length = 0;
  });

  /** Each row has several faults; the first one counts. `sees` is how far the request came. */
  const rows: readonly [
    string,
    "nothing" | "the key",
    number,
    string,
    string,
    string,
    (stub: GatewayStub) => RequestOptions,
  ][] = [
    ["path before key", "nothing", 404, "not_found", "POST", "/v1/nothing", () => ({ key: null, body: "{" })],
    [
      "method before key",
      "nothing",
      405,
      "method_not_allowed",
      "PUT",
      "/v1/data",
      () => ({ key: null, body: "{" }),
    ],
    [
      "key before role and body",
      "nothing",
      401,
      "unauthorized",
      "POST",
      "/v1/data?x=1",
      () => ({ key: null, body: "{" }),
    ],
    [
      "an unknown key before role and body",
      "the key",
      401,
      "unauthorized",
      "POST",
      "/v1/data?x=1",
      () => ({ key: newApiKey(), body: "{" }),
    ],
    [
      "role before size and type",
      "the key",
      403,
      "forbidden",
      "POST",
      "/v1/data",
      ({ keys }) => ({
        key: keys.viewer,
        body: "x".repeat(MIB + 1),
        headers: { "Content-Type": "text/plain" },
      }),
    ],
    [
      "size before type",
      "the key",
      413,
      "payload_too_large",
      "POST",
      "/v1/data",
      () => ({ body: "x".repeat(MIB + 1), headers: { "Content-Type": "text/plain" } }),
    ],
    [
      "type before content and query",
      "the key",
      415,
      "unsupported_media_type",
      "POST",
      "/v1/data?x=1",
      () => ({ body: "{", headers: { "Content-Type": "text/plain" } }),
    ],
    [
      "content before the action",
      "the key",
      400,
      "invalid_json",
      "PATCH",
      "/v1/data/rec_none",
      () => ({ body: "{", headers: JSON_TYPE }),
    ],
    [
      "query before the action",
      "the key",
      400,
      "invalid_request",
      "GET",
      "/v1/data/rec_none?x=1",
      () => ({}),
    ],
    [
      "structure before meaning",
      "the key",
      400,
      "invalid_request",
      "POST",
      "/v1/data",
      () => ({ body: { name: "", type: 1 } }),
    ],
    [
      "meaning before the action",
      "the key",
      422,
      "unprocessable",
      "PATCH",
      "/v1/data/rec_none",
      () => ({ body: { name: " " } }),
    ],
  ];

  test.each(rows)("%s", async (_, sees, status, code, method, path, options) => {
    expectRefusal(await request(stub.app, method, path, options(stub)), status, code);
    expect(stub.calls).toEqual([]);
    const mostLookUps = sees === "nothing" ? 0 : 1;
    expect(stub.lookUps.length).toBeLessThanOrEqual(mostLookUps);
  });

  test.each([
    ["GET", "/v1/nothing"],
    ["GET", "/v1/data/"],
    ["GET", "/V1/data"],
    ["GET", "/v1/data/rec_1/"],
    ["GET", "/v1/data/%zz"],
    ["GET", "/v1/data/%ff"],
    ["OPTIONS", "/v1/nothing"],
    ["GET", "/"],
    ["GET", "/api/data"],
    ["POST", "/v1/data/bulk-delete/x"],
  ])("%s %s is no path", async (method, path) => {
    expectRefusal(await request(stub.app, method, path), 404, "not_found");
    expect([stub.calls, stub.lookUps]).toEqual([[], []]);
  });

  test.each([
    ["PUT", "/v1/data", "GET, HEAD, POST"],
    ["DELETE", "/v1/data", "GET, HEAD, POST"],
    ["OPTIONS", "/v1/data", "GET, HEAD, POST"],
    ["TRACE", "/v1/data", "GET, HEAD, POST"],
    ["PROPFIND", "/v1/data", "GET, HEAD, POST"],
    ["POST", "/v1/data/rec_1", "DELETE, GET, HEAD, PATCH"],
    ["PUT", "/v1/data/rec_1", "DELETE, GET, HEAD, PATCH"],
    ["GET", "/v1/data/bulk-create", "POST"],
    ["DELETE", "/v1/data/bulk-create", "POST"],
    ["PATCH", "/v1/data/bulk-create", "POST"],
    ["GET", "/v1/data/bulk-delete", "DELETE"],
    ["POST", "/v1/data/bulk-delete", "DELETE"],
    ["HEAD", "/v1/data/bulk-delete", "DELETE"],
    ["POST", "/livez", "GET, HEAD"],
    ["DELETE", "/readyz", "GET, HEAD"],
  ])("%s %s is no method of the path", async (method, path, allow) => {
    const answer = await request(stub.app, method, path);
    expect(answer.status).toBe(405);
    expect(answer.headers.allow).toBe(allow);
    if (method !== "HEAD") expectRefusal(answer, 405, "method_not_allowed");
    expect([stub.calls, stub.lookUps]).toEqual([[], []]);
  });

  test.each([
    ["X-HTTP-Method-Override", "DELETE"],
    ["X-Forwarded-Host", "evil.example"],
    ["X-Original-URL", "/livez"],
  ])("%s changes nothing", async (name, value) => {
    const answer = await request(stub.app, "GET", "/v1/data", { headers: { [name]: value } });
    expect(answer.status).toBe(200);
    expect(stub.calls.map(({ action }) => action)).toEqual(["list"]);
  });

  test("a refusal without a key says how to show one", async () => {
    const answer = await request(stub.app, "GET", "/v1/data", { key: null });
    expect(answer.headers["www-authenticate"]).toBe("Bearer");
  });

  const roleRows: readonly ["viewer" | "editor" | "admin", string, string, object | undefined, number][] = [
    ["viewer", "GET", "/v1/data", undefined, 200],
    ["viewer", "GET", "/v1/data/rec_1", undefined, 200],
    ["viewer", "POST", "/v1/data", { name: "A", type: "t" }, 403],
    ["viewer", "PATCH", "/v1/data/rec_1", { name: "A" }, 403],
    ["viewer", "DELETE", "/v1/data/rec_1", undefined, 403],
    ["viewer", "POST", "/v1/data/bulk-create", { records: [{ name: "A", type: "t" }] }, 403],
    ["viewer", "DELETE", "/v1/data/bulk-delete", { ids: ["rec_1"] }, 403],
    ["editor", "POST", "/v1/data", { name: "A", type: "t" }, 201],
    ["editor", "PATCH", "/v1/data/rec_1", { name: "A" }, 200],
    ["editor", "DELETE", "/v1/data/rec_1", undefined, 204],
    ["editor", "POST", "/v1/data/bulk-create", { records: [{ name: "A", type: "t" }] }, 201],
    ["editor", "DELETE", "/v1/data/bulk-delete", { ids: ["rec_1"] }, 200],
    ["admin", "POST", "/v1/data", { name: "A", type: "t" }, 201],
  ];

  test.each(roleRows)("%s: %s %s", async (role, method, path, body, status) => {
    const answer = await request(stub.app, method, path, { body, key: stub.keys[role] });
    expect(answer.status).toBe(status);
    expect(stub.calls.length).toBe(status === 403 ? 0 : 1);
    if (status !== 403) expect(stub.calls[0]?.caller).toMatchObject({ role, keyId: `key_${role}` });
  });
});
