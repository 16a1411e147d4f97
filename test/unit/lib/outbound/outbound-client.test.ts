import { describe, expect, test } from "@jest/globals";
import type { OutboundClient } from "../../../../lib/outbound/outbound-client.ts";
import {
  huge,
  type Receiver,
  type ReceiverOptions,
  raw,
  redirect,
  startReceiver,
  status,
} from "../../../support/tls-receiver.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { failureOf, newClient, postTo, type TestClient } from "./support/client.ts";
import { trustedSuite } from "./support/endings.ts";

const ends = trustedSuite();

async function receiverWith(options: ReceiverOptions = {}): Promise<Receiver> {
  const receiver = await startReceiver(options);
  ends.push(receiver.stop);
  return receiver;
}

function clientWith(options: TestClient = {}): OutboundClient {
  const client = newClient(options);
  ends.push(() => client.close());
  return client;
}

describe("what is sent", () => {
  test("is the body byte for byte, and the caller's headers with none of the client's own", async () => {
    const receiver = await receiverWith();
    const memory = Buffer.from("before{\u0000ÿ}after", "latin1");
    const body = new Uint8Array(memory.buffer, memory.byteOffset + 6, 4);
    const headers = { "User-Agent": "Test/1", "Content-Type": "application/json", "X-Service-Event": "a" };
    await clientWith().post(postTo(receiver.url("/hook?a=b%20c#part"), { headers, body }));
    expect(receiver.requests).toMatchObject([{ method: "POST", path: "/hook?a=b%20c" }]);
    const [request] = receiver.requests;
    expect(request?.body).toEqual(Buffer.from("{\u0000ÿ}", "latin1"));
    expect(request?.headers).toEqual({
      "user-agent": "Test/1",
      "content-type": "application/json",
      "x-service-event": "a",
      "accept-encoding": "identity",
      "content-length": "4",
      connection: "keep-alive",
      host: `localhost:${receiver.port}`,
    });
  });

  test("is text in UTF-8, and has no headers that nobody asked for", async () => {
    const receiver = await receiverWith();
    await clientWith().post(postTo(receiver.url(), { body: "žlutý" }));
    expect(receiver.requests[0]?.body.toString()).toBe("žlutý");
    expect(Object.keys(receiver.requests[0]?.headers ?? {}).sort()).toEqual([
      "accept-encoding",
      "connection",
      "content-length",
      "host",
    ]);
  });

  test.each([
    "Host",
    "content-length",
    "Transfer-Encoding",
    "Connection",
    "accept-encoding",
    "Proxy-Authorization",
    "Expect",
  ])("has no %s of the caller's", async (name) => {
    const receiver = await receiverWith();
    await expect(clientWith().post(postTo(receiver.url(), { headers: { [name]: "1" } }))).rejects.toThrow(
      new TypeError(`The header ${name.toLowerCase()} is the outbound client's own.`),
    );
    expect(receiver.connectionCount()).toBe(0);
  });

  test("goes past every proxy of the environment", async () => {
    const proxy = await receiverWith({ greeting: "close" });
    const receiver = await receiverWith();
    const names = ["HTTPS_PROXY", "https_proxy", "ALL_PROXY", "HTTP_PROXY"];
    const before = names.map((name) => [name, process.env[name]] as const);
    for (const name of names) process.env[name] = `http://127.0.0.1:${proxy.port}`;
    try {
      expect(await clientWith().post(postTo(receiver.url()))).toMatchObject({ statusCode: 200 });
    } finally {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name];
        else process.env[name] = value;
      }
    }
    expect(proxy.connectionCount()).toBe(0);
  });

  test("carries no cookie that was set before", async () => {
    const receiver = await receiverWith({ answer: status(200, { "set-cookie": "a=b" }) });
    const client = clientWith();
    await client.post(postTo(receiver.url()));
    await client.post(postTo(receiver.url()));
    expect(receiver.requests.map(({ headers }) => headers.cookie)).toEqual([undefined, undefined]);
  });
});

describe("what comes back", () => {
  test.each([200, 204, 304, 400, 410, 429, 500, 503])("is an answer, be it %i", async (code) => {
    const receiver = await receiverWith({ answer: status(code, { "Retry-After": "7" }) });
    const answer = await clientWith().post(postTo(receiver.url()));
    expect(answer).toMatchObject({ statusCode: code, headers: { "retry-after": "7" }, isTruncated: false });
    expect(answer.durationMs).toBeGreaterThanOrEqual(0);
  });

  test.each([301, 302, 303, 307, 308])("is not followed where it is %i", async (code) => {
    const elsewhere = await receiverWith();
    const receiver = await receiverWith({ answer: redirect(elsewhere.url(), code) });
    const answer = await clientWith().post(postTo(receiver.url()));
    expect(answer).toMatchObject({ statusCode: code, headers: { location: elsewhere.url() } });
    expect([elsewhere.connectionCount(), receiver.requests.length]).toEqual([0, 1]);
  });

  test("is left encoded as it came", async () => {
    const receiver = await receiverWith({ answer: status(200, { "content-encoding": "gzip" }, "no gzip") });
    const { body, headers } = await clientWith().post(postTo(receiver.url()));
    expect([body.toString(), headers["content-encoding"]]).toEqual(["no gzip", "gzip"]);
  });

  test.each([
    { bytes: 0, read: 0, isTruncated: false },
    { bytes: 65_535, read: 65_535, isTruncated: false },
    { bytes: 65_536, read: 65_536, isTruncated: false },
    { bytes: 65_537, read: 65_536, isTruncated: true },
    { bytes: Number.MAX_SAFE_INTEGER, read: 65_536, isTruncated: true },
  ])("is read up to 64 KiB: $read bytes of $bytes", async ({ bytes, read, isTruncated }) => {
    const receiver = await receiverWith({ answer: huge(bytes) });
    const answer = await clientWith().post(postTo(receiver.url()));
    expect([answer.body.length, answer.isTruncated]).toEqual([read, isTruncated]);
    if (isTruncated) {
      await waitFor(() => receiver.openConnectionCount() === 0, { what: "the connection to be closed" });
    }
  });

  test("is whole where its length is known by the connection's end only", async () => {
    const receiver = await receiverWith({ answer: raw("HTTP/1.0 200 OK\r\n\r\nto the end") });
    const { body } = await clientWith().post(postTo(receiver.url()));
    expect(body.toString()).toBe("to the end");
  });
});

describe("no answer", () => {
  test.each([
    { when: "is no HTTP", bytes: "SSH-2.0-x\r\n\r\n", message: "its answer is not valid HTTP" },
    {
      when: "has a header that only a lenient parser takes",
      bytes: "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
      message: "its answer is not valid HTTP",
    },
    {
      when: "changes the protocol",
      bytes: "HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n",
      message: "its answer is not valid HTTP",
    },
    {
      when: "has headers of over 16 KiB",
      bytes: `HTTP/1.1 200 OK\r\nX-A: ${"a".repeat(17_000)}\r\n\r\n`,
      message: "the headers of its answer are too large",
    },
  ])("is what $when", async ({ bytes, message }) => {
    const receiver = await receiverWith({ answer: raw(bytes) });
    expect(await failureOf(clientWith().post(postTo(receiver.url())))).toMatchObject({
      reason: "protocol",
      message,
    });
  });

  test.each([
    { when: "nothing", bytes: "", message: "it closed the connection without an answer" },
    { when: "half a head", bytes: "HTTP/1.1 200", message: "it closed the connection without an answer" },
    {
      when: "half a body",
      bytes: "HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf",
      message: "it closed the connection before its answer ended",
    },
  ])("is $when before the connection ends", async ({ bytes, message }) => {
    const receiver = await receiverWith({ answer: raw(bytes) });
    expect(await failureOf(clientWith().post(postTo(receiver.url())))).toMatchObject({
      reason: "refused",
      message,
    });
    expect(receiver.requests).toHaveLength(1);
  });

  test("comes from a port where nobody listens", async () => {
    const receiver = await startReceiver();
    await receiver.stop();
    expect(await failureOf(clientWith().post(postTo(receiver.url())))).toMatchObject({
      reason: "refused",
      message: "it refused the connection",
    });
  });

  test.each([
    { url: "http://localhost/", message: "it must begin with https://" },
    { url: "ftp://localhost/", message: "it must begin with https://" },
    { url: "no address", message: "it is not a valid URL" },
  ])("comes from $url", async ({ url, message }) => {
    expect(await failureOf(clientWith().post(postTo(url)))).toMatchObject({ reason: "url", message });
  });

  test("has a cause for the log that holds nothing of the request", async () => {
    const receiver = await receiverWith({ answer: raw("") });
    const headers = { Authorization: "Bearer s3cret" };
    const failure = await failureOf(clientWith().post(postTo(receiver.url(), { headers, body: "s3cret" })));
    expect(failure.cause).toMatchObject({ code: "ECONNRESET" });
    expect(JSON.stringify([failure.cause, Object.keys(Object(failure.cause))])).not.toContain("s3cret");
    expect(failure.cause).not.toHaveProperty("config");
  });
});
