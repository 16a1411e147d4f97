import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type GatewayStub, startGatewayStub } from "../../support/gateway-stub.ts";
import { request } from "../../support/http.ts";
import { openRaw, rawExchange, rawRequest } from "../../support/raw-http.ts";

const MIB = 1024 * 1024;
const JSON_TYPE = { "Content-Type": "application/json" };
const VALID = '{"name":"A","type":"t"}';

let stub: GatewayStub;
beforeAll(async () => {
  stub = await startGatewayStub({ env: { RATE_LIMIT_REQUESTS: "0" } });
});
afterAll(() => stub.app.stop());
beforeEach(() => {
  stub.calls.length = 0;
});

/** A valid body of exactly so many bytes: JSON allows blanks around it. */
function paddedTo(bytes: number, json = VALID): string {
  return json + " ".repeat(bytes - Buffer.byteLength(json));
}

function headerLines(...lines: string[]): string[] {
  return [`Authorization: Bearer ${stub.app.key}`, "Connection: close", ...lines];
}

function chunked(...chunks: (string | Uint8Array)[]): Buffer {
  const parts = [...chunks, ""].flatMap((chunk) => [
    Buffer.from(`${Buffer.byteLength(chunk).toString(16)}\r\n`),
    Buffer.from(chunk),
    Buffer.from("\r\n"),
  ]);
  return Buffer.concat(parts);
}

describe("content", () => {
  test.each<[string, string | Uint8Array, string]>([
    ["nothing", "", "invalid_request"],
    ["blanks", "  ", "invalid_json"],
    ["half an object", '{"name":', "invalid_json"],
    ["two objects", "{}{}", "invalid_json"],
    ["a comment", '{"name":"A"/**/}', "invalid_json"],
    ["single quotes", "{'name':'A'}", "invalid_json"],
    ["a form", "name=A&type=t", "invalid_json"],
    ["null", "null", "invalid_request"],
    ["a list", `[${VALID}]`, "invalid_request"],
    ["text", '"name"', "invalid_request"],
    ["a number", "1", "invalid_request"],
    ["bytes that are no UTF-8", Buffer.from('{"name":"\xff","type":"t"}', "latin1"), "invalid_json"],
    ["half of a character", Buffer.from('{"name":"\xc3","type":"t"}', "latin1"), "invalid_json"],
    ["UTF-16", Buffer.from(VALID, "utf16le"), "invalid_json"],
    ["brackets without end", "[".repeat(MIB), "invalid_request"],
    ["objects without end", '{"a":'.repeat(MIB / 5), "invalid_json"],
    ["a list as deep as it goes", "[".repeat(MIB / 2) + "]".repeat(MIB / 2), "invalid_request"],
    [
      "an object as deep as it goes",
      `{"name":"A","type":${"[".repeat(MIB / 2 - 20)}${"]".repeat(MIB / 2 - 20)}}`,
      "invalid_request",
    ],
    ["half of a surrogate pair", '{"name":"\\ud800","type":"t"}', "invalid_request"],
    ["U+0000", '{"name":"\\u0000","type":"t"}', "invalid_request"],
    ["a name twice, the last one counting", '{"name":"A","type":"t","name":1}', "invalid_request"],
  ])("%s is refused", async (_, body, code) => {
    const answer = await request(stub.app, "POST", "/v1/data", { body, headers: JSON_TYPE });
    expect([answer.status, answer.body.error.code]).toEqual([400, code]);
    expect(stub.calls).toEqual([]);
  });

  test("a byte order mark is passed over", async () => {
    const answer = await request(stub.app, "POST", "/v1/data", {
      body: `\ufeff${VALID}`,
      headers: JSON_TYPE,
    });
    expect(answer.status).toBe(201);
    expect(stub.calls[0]?.params).toEqual({ name: "A", type: "t" });
  });

  test("a body that came in pieces, with a character cut in two, is whole", async () => {
    const bytes = Buffer.from('{"name":"é","type":"t"}');
    const cut = bytes.indexOf(0xa9);
    const connection = await openRaw(stub.app.port);
    const lines = headerLines("Content-Type: application/json", `Content-Length: ${bytes.length}`);
    connection.socket.write(rawRequest("POST /v1/data", lines));
    connection.socket.write(bytes.subarray(0, cut));
    connection.socket.write(bytes.subarray(cut));
    expect(await connection.untilClosed()).toMatch(/^HTTP\/1\.1 201 /);
    expect(stub.calls[0]?.params).toEqual({ name: "é", type: "t" });
  });
});

describe("type", () => {
  test.each([
    ["application/json"],
    ["Application/JSON"],
    ["application/json; charset=utf-8"],
    ['application/json;charset="UTF-8"'],
    ["application/json; charset=utf8; profile=x"],
    ["application/json;"],
  ])("%s is JSON", async (type) => {
    const answer = await request(stub.app, "POST", "/v1/data", {
      body: VALID,
      headers: { "Content-Type": type },
    });
    expect(answer.status).toBe(201);
  });

  test.each<[string, Record<string, string>]>([
    ["none", {}],
    ["text", { "Content-Type": "text/plain" }],
    ["a form", { "Content-Type": "application/x-www-form-urlencoded" }],
    ["what begins like it", { "Content-Type": "application/json5" }],
    ["a kind of JSON", { "Content-Type": "application/merge-patch+json" }],
    ["nothing in particular", { "Content-Type": "*/*" }],
    ["another charset", { "Content-Type": "application/json; charset=utf-16" }],
    ["a single-byte charset", { "Content-Type": "application/json; charset=iso-8859-1" }],
    ["what is compressed", { ...JSON_TYPE, "Content-Encoding": "gzip" }],
    ["several encodings", { ...JSON_TYPE, "Content-Encoding": "identity, br" }],
  ])("%s is refused", async (_, headers) => {
    const answer = await request(stub.app, "POST", "/v1/data", { body: VALID, headers });
    expect([answer.status, answer.body.error.code]).toEqual([415, "unsupported_media_type"]);
    expect(stub.calls).toEqual([]);
  });

  test("identity is no encoding", async () => {
    const headers = { ...JSON_TYPE, "Content-Encoding": "identity" };
    expect((await request(stub.app, "POST", "/v1/data", { body: VALID, headers })).status).toBe(201);
  });

  test("without a body there is nothing whose type could be wrong", async () => {
    const answer = await request(stub.app, "POST", "/v1/data");
    expect([answer.status, answer.body.error.code]).toEqual([400, "invalid_request"]);
  });
});

describe("size", () => {
  test.each<[string, string, string, number]>([
    ["POST", "/v1/data", VALID, MIB],
    ["PATCH", "/v1/data/rec_1", '{"name":"A"}', MIB],
    ["POST", "/v1/data/bulk-create", '{"records":[{"name":"A","type":"t"}]}', 4 * MIB],
    ["DELETE", "/v1/data/bulk-delete", '{"ids":["rec_1"]}', 4 * MIB],
  ])("%s %s takes a body up to its limit, and says the limit", async (method, path, json, limit) => {
    const full = await request(stub.app, method, path, { body: paddedTo(limit, json), headers: JSON_TYPE });
    expect(full.status).toBeLessThan(300);
    expect(stub.calls).toHaveLength(1);
    const over = await request(stub.app, method, path, {
      body: paddedTo(limit + 1, json),
      headers: JSON_TYPE,
    });
    expect([over.status, over.body.error.code]).toEqual([413, "payload_too_large"]);
    expect(over.body.error.message).toContain(`${limit / MIB} MiB`);
    expect(stub.calls).toHaveLength(1);
  });

  test("a body that does not say its size is counted, and no further than the limit", async () => {
    const lines = headerLines("Content-Type: application/json", "Transfer-Encoding: chunked");
    const head = Buffer.from(rawRequest("POST /v1/data", lines));
    const full = await rawExchange(stub.app.port, Buffer.concat([head, chunked(paddedTo(MIB))]));
    expect(full).toMatch(/^HTTP\/1\.1 201 /);
    const over = await rawExchange(stub.app.port, Buffer.concat([head, chunked(paddedTo(MIB), " ")]));
    expect(over).toMatch(/^HTTP\/1\.1 413 /);
    expect(stub.calls).toHaveLength(1);
  });

  test("a body in chunks that is empty is none", async () => {
    const lines = headerLines("Content-Type: application/json", "Transfer-Encoding: chunked");
    const answer = await rawExchange(
      stub.app.port,
      Buffer.concat([Buffer.from(rawRequest("POST /v1/data", lines)), chunked()]),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 400 [\s\S]+"A JSON object is required as the body\."/);
  });

  test("who announces too much is told at once, and may still be sending", async () => {
    const connection = await openRaw(stub.app.port);
    const lines = [
      `Authorization: Bearer ${stub.app.key}`,
      "Content-Type: application/json",
      `Content-Length: ${100 * MIB}`,
    ];
    connection.socket.write(rawRequest("POST /v1/data", lines, "x".repeat(3 * MIB)));
    const answer = await connection.until('"request_id"');
    expect(answer).toMatch(/^HTTP\/1\.1 413 /);
    expect(answer).toContain("\r\nConnection: close\r\n");
    connection.socket.destroy();
  });

  test("who never ends a body in chunks is told as soon as it is too much", async () => {
    const connection = await openRaw(stub.app.port);
    const lines = headerLines("Content-Type: application/json", "Transfer-Encoding: chunked");
    connection.socket.write(rawRequest("POST /v1/data", lines));
    const chunk = Buffer.concat([Buffer.from("10000\r\n"), Buffer.alloc(65_536, "x"), Buffer.from("\r\n")]);
    for (let sent = 0; sent <= MIB; sent += 65_536) connection.socket.write(chunk);
    expect(await connection.until('"request_id"')).toMatch(/^HTTP\/1\.1 413 /);
    connection.socket.destroy();
  });
});

describe("a body that nobody asked for", () => {
  test.each([
    ["GET", "/v1/data/rec_1", 200, "get"],
    ["DELETE", "/v1/data/rec_1", 204, "remove"],
  ])("%s ignores it, whatever it is", async (method, path, status, action) => {
    const body = '{"id":"rec_2","__proto__":{';
    const answer = await request(stub.app, method, path, { body, headers: { "Content-Type": "text/plain" } });
    expect(answer.status).toBe(status);
    expect(stub.calls.map((call) => [call.action, call.params])).toEqual([[action, { id: "rec_1" }]]);
  });

  test("the connection stays in step behind it", async () => {
    const connection = await openRaw(stub.app.port);
    const body = "GET /v1/data/smuggled HTTP/1.1\r\n\r\n";
    const lines = [`Authorization: Bearer ${stub.app.key}`, `Content-Length: ${body.length}`];
    connection.socket.write(rawRequest("GET /v1/data/rec_1", lines, body));
    connection.socket.write(rawRequest("GET /v1/data/rec_2", headerLines()));
    const answers = await connection.untilClosed();
    expect(answers.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    expect(stub.calls.map(({ params }) => params)).toEqual([{ id: "rec_1" }, { id: "rec_2" }]);
  });
});

describe("without a key", () => {
  test("the answer comes before the body, which is never waited for", async () => {
    const connection = await openRaw(stub.app.port);
    connection.socket.write(
      rawRequest("POST /v1/data", ["Content-Type: application/json", `Content-Length: ${MIB}`]),
    );
    const answer = await connection.until('"request_id"');
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).toContain("\r\nConnection: close\r\n");
    connection.socket.destroy();
  });

  test("who sends a large body all the same gets to read the answer", async () => {
    const answer = await request(stub.app, "POST", "/v1/data", { key: null, body: Buffer.alloc(16 * MIB) });
    expect(answer.status).toBe(401);
  });

  test("who asks whether to send a body is not told to", async () => {
    const connection = await openRaw(stub.app.port);
    connection.socket.write(
      rawRequest("POST /v1/data", [
        "Content-Type: application/json",
        `Content-Length: ${VALID.length}`,
        "Expect: 100-continue",
      ]),
    );
    const answer = await connection.until('"request_id"');
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(answer).not.toContain("100 Continue");
    connection.socket.destroy();
  });

  test("with one, they are", async () => {
    const connection = await openRaw(stub.app.port);
    const lines = headerLines(
      "Content-Type: application/json",
      `Content-Length: ${VALID.length}`,
      "Expect: 100-continue",
    );
    connection.socket.write(rawRequest("POST /v1/data", lines));
    await connection.until("HTTP/1.1 100 Continue");
    connection.socket.write(VALID);
    expect(await connection.untilClosed()).toMatch(/\r\n\r\nHTTP\/1\.1 201 /);
  });

  test("a small body does not cost the connection", async () => {
    const connection = await openRaw(stub.app.port);
    const lines = ["Content-Type: application/json", `Content-Length: ${VALID.length}`];
    connection.socket.write(rawRequest("POST /v1/data", lines, VALID));
    connection.socket.write(rawRequest("GET /v1/data/rec_1", headerLines()));
    const answers = await connection.untilClosed();
    expect(answers).toMatch(/^HTTP\/1\.1 401 [\s\S]+HTTP\/1\.1 200 /);
    expect(stub.calls).toHaveLength(1);
  });
});
