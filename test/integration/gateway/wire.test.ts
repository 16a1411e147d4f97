import type { Server } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import { type GatewayStub, startGatewayStub } from "../../support/gateway-stub.ts";
import { openRaw, rawExchange, rawRequest } from "../../support/raw-http.ts";
import { waitFor } from "../../support/wait-for.ts";

let stub: GatewayStub;
beforeAll(async () => {
  stub = await startGatewayStub({ env: { RATE_LIMIT_REQUESTS: "0" } });
});
afterAll(() => stub.app.stop());
beforeEach(() => {
  stub.calls.length = 0;
});

const authorized = () => `Authorization: Bearer ${stub.app.key}`;
const exchange = (bytes: string) => rawExchange(stub.app.port, bytes);

/** The error in the body of what came, which is all of it. */
function errorIn(answer: string): unknown {
  const { success, error } = JSON.parse(answer.slice(answer.indexOf("\r\n\r\n")));
  expect(success).toBe(false);
  expect(answer).toContain(`\r\nX-Request-Id: ${error.request_id}\r\n`);
  return error.code;
}

function idOf(params: unknown): string {
  return typeof params === "object" && params !== null && "id" in params ? String(params.id) : "";
}

describe("what is no HTTP", () => {
  test.each([
    ["garbage", "hello\r\n\r\n", 400],
    ["TLS", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n", 400],
    ["another version", "GET /livez HTTP/3.0\r\n\r\n", 400],
    ["a header without a colon", "GET /livez HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n", 400],
    ["a blank in a header's name", "GET /livez HTTP/1.1\r\nHost : a\r\n\r\n", 400],
    ["a line that is folded", "GET /livez HTTP/1.1\r\nHost: a\r\nX-A: b\r\n c\r\n\r\n", 400],
    ["U+0000 in a header", "GET /livez HTTP/1.1\r\nHost: a\r\nX-A: b\0c\r\n\r\n", 400],
    ["a length that is none", "POST /v1/data HTTP/1.1\r\nHost: a\r\nContent-Length: -1\r\n\r\n", 400],
    [
      "two lengths",
      "POST /v1/data HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n",
      400,
    ],
    ["bytes beyond ASCII in the path", "GET /v1/data?q=caf\u00e9 HTTP/1.1\r\nHost: a\r\n\r\n", 400],
    ["headers beyond measure", `GET /livez HTTP/1.1\r\nHost: a\r\nX-A: ${"b".repeat(20_000)}\r\n\r\n`, 431],
    ["a path beyond measure", `GET /${"b".repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 431],
  ])("%s", async (_, bytes, status) => {
    const answer = await exchange(bytes);
    expect(answer.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    expect(errorIn(answer)).toBe("invalid_request");
    expect(stub.calls).toEqual([]);
  });

  test("a length and chunks at once cannot hide a second request", async () => {
    const hidden = rawRequest("GET /v1/data/hidden", [authorized()]);
    const answer = await exchange(
      rawRequest(
        "POST /v1/data",
        [authorized(), "Content-Type: application/json", "Content-Length: 5", "Transfer-Encoding: chunked"],
        `0\r\n\r\n${hidden}`,
      ),
    );
    expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
    expect(stub.calls).toEqual([]);
  });

  test.each(["chunked, identity", "xchunked", "chunked\r\nTransfer-Encoding: identity"])(
    "nor can a transfer encoding of %j",
    async (encoding) => {
      const hidden = rawRequest("GET /v1/data/hidden", [authorized()]);
      const answer = await exchange(
        rawRequest(
          "POST /v1/data",
          [authorized(), "Content-Type: application/json", `Transfer-Encoding: ${encoding}`],
          `0\r\n\r\n${hidden}`,
        ),
      );
      expect(answer.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
      expect(stub.calls).toEqual([]);
    },
  );

  test("chunks that break off into nonsense are an error of that request, under its id", async () => {
    const answer = await exchange(
      rawRequest(
        "POST /v1/data",
        [authorized(), "Content-Type: application/json", "Transfer-Encoding: chunked", "X-Request-Id: mine"],
        "5\r\n{....\r\nnonsense\r\n",
      ),
    );
    expect(answer).toContain("\r\nX-Request-Id: mine\r\n");
    expect(errorIn(answer)).toBe("invalid_request");
    expect(stub.calls).toEqual([]);
  });

  test("nonsense behind a request does not take the request's answer", async () => {
    const gate = Promise.withResolvers<void>();
    const { respond } = stub;
    stub.respond = async (call) => {
      await gate.promise;
      return await respond(call);
    };
    try {
      const connection = await openRaw(stub.app.port);
      connection.socket.write(`${rawRequest("GET /v1/data/rec_1", [authorized()])}nonsense\r\n\r\n`);
      await waitFor(() => stub.calls.length === 1, { what: "the request to be in the action" });
      expect(connection.received()).toBe("");
      gate.resolve();
      const answers = await connection.untilClosed();
      expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
    } finally {
      stub.respond = respond;
    }
  });
});

describe("forms of a request", () => {
  test("a missing Host is refused in HTTP/1.1, and not in HTTP/1.0", async () => {
    const answer = await exchange("GET /livez HTTP/1.1\r\nConnection: close\r\n\r\n");
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(errorIn(answer)).toBe("invalid_request");
    expect(await exchange("GET /livez HTTP/1.0\r\n\r\n")).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("a target with scheme and host is that path", async () => {
    const lines = [authorized(), "Connection: close"];
    const answer = await exchange(rawRequest("GET http://other.example:1/v1/data/rec_1", lines));
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
    expect(stub.calls[0]?.params).toEqual({ id: "rec_1" });
  });

  test("another expectation is passed over", async () => {
    const answer = await exchange(
      rawRequest("GET /v1/data/rec_1", [authorized(), "Expect: the-unexpected", "Connection: close"]),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test("an upgrade is not taken up", async () => {
    const answer = await exchange(
      rawRequest("GET /livez", [
        "Connection: Upgrade",
        "Upgrade: websocket",
        "Sec-WebSocket-Version: 13",
      ]).replace("HTTP/1.1", "HTTP/1.0"),
    );
    expect(answer).toMatch(/^HTTP\/1\.1 200 /);
  });

  test.each([
    ["two authorizations", (key: string) => [`Authorization: Bearer ${key}`, "Authorization: Bearer other"]],
    ["the same one twice", (key: string) => [`Authorization: Bearer ${key}`, `AUTHORIZATION: Bearer ${key}`]],
    ["another scheme", (key: string) => [`Authorization: Basic ${key}`]],
    ["a key in the query", (_: string) => []],
    ["another header", (key: string) => [`X-Api-Key: ${key}`, `Proxy-Authorization: Bearer ${key}`]],
  ])("%s: no key", async (_, lines) => {
    const target = `GET /v1/data?access_token=${stub.app.key}`;
    const answer = await exchange(rawRequest(target, [...lines(stub.app.key), "Connection: close"]));
    expect(answer).toMatch(/^HTTP\/1\.1 401 /);
    expect(stub.calls).toEqual([]);
  });

  test("requests that do not wait for each other are answered in their order", async () => {
    const gates = new Map(["1", "2", "3"].map((id) => [id, Promise.withResolvers<void>()]));
    const { respond } = stub;
    stub.respond = async (call) => {
      const id = idOf(call.params);
      await gates.get(id)?.promise;
      return { id };
    };
    try {
      const connection = await openRaw(stub.app.port);
      connection.socket.write(
        ["1", "2", "3"].map((id) => rawRequest(`GET /v1/data/${id}`, [authorized()])).join(""),
      );
      await waitFor(() => stub.calls.length === 3, { what: "all three to be in the action" });
      for (const id of ["3", "2", "1"]) gates.get(id)?.resolve();
      const answers = await connection.until(/"id":"3"/);
      expect(answers.match(/"id":"\d"/g)).toEqual(['"id":"1"', '"id":"2"', '"id":"3"']);
      connection.socket.destroy();
    } finally {
      stub.respond = respond;
    }
  });
});

describe("time", () => {
  /** Node's server of the gateway, whose patience a test shortens. */
  function server(): Server {
    const service: { name?: string; server?: Server } | undefined =
      stub.app.broker.getLocalService("gateway");
    if (!service?.server) throw new Error("The gateway has no server.");
    return service.server;
  }

  test("has limits that no client can stretch", () => {
    const { headersTimeout, requestTimeout, keepAliveTimeout } = server();
    expect({ headersTimeout, requestTimeout, keepAliveTimeout }).toEqual({
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 65_000,
    });
  });

  test("a body that does not arrive is given up, and its sender told so", async () => {
    // Node takes the shorter of the two for the headers, whichever is which.
    Object.assign(server(), { requestTimeout: 50, headersTimeout: 50 });
    try {
      const connection = await openRaw(stub.app.port);
      const lines = [
        authorized(),
        "Content-Type: application/json",
        "Content-Length: 10",
        "X-Request-Id: slow",
      ];
      connection.socket.write(rawRequest("POST /v1/data", lines, '{"'));
      const answer = await connection.untilClosed();
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain("X-Request-Id: slow");
      expect(errorIn(answer)).toBe("invalid_request");
      expect(stub.calls).toEqual([]);
    } finally {
      Object.assign(server(), { requestTimeout: 30_000, headersTimeout: 10_000 });
    }
  });

  test("headers that do not arrive are given up", async () => {
    server().headersTimeout = 50;
    try {
      const connection = await openRaw(stub.app.port);
      connection.socket.write("GET /v1/data HTTP/1.1\r\nHost:");
      expect(await connection.untilClosed()).toBe("");
    } finally {
      server().headersTimeout = 10_000;
    }
  });

  test("a client that leaves in the middle leaves nothing behind", async () => {
    const connection = await openRaw(stub.app.port);
    const lines = [authorized(), "Content-Type: application/json", "Content-Length: 10"];
    connection.socket.write(rawRequest("POST /v1/data", lines, '{"'));
    const connections = () =>
      new Promise<number>((resolve, reject) => {
        server().getConnections((error, count) => (error ? reject(error) : resolve(count)));
      });
    await waitFor(async () => (await connections()) > 0, { what: "the connection" });
    connection.socket.destroy();
    await waitFor(async () => (await connections()) === 0, { what: "the connection to be gone" });
    expect(stub.calls).toEqual([]);
    expect(stub.app.log).toEqual([]);
  });
});
