import { execFile } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "@jest/globals";
import { issueCertificate, testAuthorityFile } from "../../../support/test-authority.ts";
import {
  type Receiver,
  type ReceiverOptions,
  raw,
  startReceiver,
  status,
} from "../../../support/tls-receiver.ts";

const program = path.join(import.meta.dirname, "support/post-process.ts");
const receivers: Receiver[] = [];

afterEach(async () => {
  for (const receiver of receivers.splice(0)) await receiver.stop();
});

async function receiverWith(options: ReceiverOptions = {}): Promise<Receiver> {
  const receiver = await startReceiver(options);
  receivers.push(receiver);
  return receiver;
}

/** What a process with this environment, which trusts the test authority, gets from posting to these. */
async function outcomesOf(env: Readonly<Record<string, string>>, to: readonly Receiver[]): Promise<unknown> {
  const urls = to.map((receiver) => receiver.url());
  const { stdout } = await promisify(execFile)(process.execPath, [program, ...urls], {
    env: { ...process.env, NODE_EXTRA_CA_CERTS: await testAuthorityFile(), ...env },
  });
  return JSON.parse(stdout);
}

describe("a process", () => {
  test("trusts the authorities of NODE_EXTRA_CA_CERTS", async () => {
    const receiver = await receiverWith({ answer: status(202) });
    expect(await outcomesOf({}, [receiver])).toEqual([202]);
  });

  test("cannot be told to trust everybody", async () => {
    const certificate = await issueCertificate({ isSelfSigned: true });
    expect(
      await outcomesOf({ NODE_TLS_REJECT_UNAUTHORIZED: "0" }, [await receiverWith({ certificate })]),
    ).toEqual(["its certificate is not trusted (self-signed)"]);
  });

  test("goes past proxies even where Node is told to use them", async () => {
    const proxy = await receiverWith({ greeting: "close" });
    const url = `http://127.0.0.1:${proxy.port}`;
    const env = {
      NODE_USE_ENV_PROXY: "1",
      HTTPS_PROXY: url,
      https_proxy: url,
      HTTP_PROXY: url,
      NO_PROXY: "",
    };
    expect(await outcomesOf(env, [await receiverWith()])).toEqual([200]);
    expect(proxy.connectionCount()).toBe(0);
  });

  test("bounds an answer's headers, and parses strictly, whatever Node is told", async () => {
    const long = await receiverWith({ answer: raw(`HTTP/1.1 200 OK\r\nX-A: ${"a".repeat(17_000)}\r\n\r\n`) });
    const lenient = await receiverWith({
      answer: raw("HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"),
    });
    const env = { NODE_OPTIONS: "--max-http-header-size=1000000 --insecure-http-parser" };
    expect(await outcomesOf(env, [long, lenient])).toEqual([
      "the headers of its answer are too large",
      "its answer is not valid HTTP",
    ]);
  });
});
