import { execFile } from "node:child_process";
import { request as httpsRequest } from "node:https";
import { promisify } from "node:util";
import { afterEach, describe, expect, test } from "@jest/globals";
import { testAuthorityFile, trustTestAuthority } from "../../support/test-authority.ts";
import { type Receiver, startReceiver, status } from "../../support/tls-receiver.ts";

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

async function receiverWith(options: Parameters<typeof startReceiver>[0] = {}): Promise<Receiver> {
  const receiver = await startReceiver(options);
  ends.push(receiver.stop);
  return receiver;
}

/** The status of a POST by Node's own client, on a connection of its own. */
function post(url: string, body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    httpsRequest(url, { method: "POST", agent: false }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode));
    })
      .on("error", reject)
      .end(body);
  });
}

describe("the test authority", () => {
  test.each(["localhost", "127.0.0.1"])(
    "vouches for a receiver's name %s while it is trusted",
    async (name) => {
      const receiver = await receiverWith({ answer: status(204) });
      const undo = await trustTestAuthority();
      try {
        expect(await post(receiver.url("/a?b=c", name), "hello")).toBe(204);
      } finally {
        undo();
      }
      expect(receiver.requests).toMatchObject([{ method: "POST", path: "/a?b=c", connection: 1 }]);
      expect(receiver.requests[0]?.body.toString()).toBe("hello");
      await expect(post(receiver.url("/", name), "again")).rejects.toMatchObject({
        code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE",
      });
    },
  );

  test("is trusted by a child process that is told its file", async () => {
    const receiver = await receiverWith();
    const script = `fetch(process.argv[1]).then((answer) => console.log(answer.status))`;
    const { stdout } = await promisify(execFile)(process.execPath, ["-e", script, receiver.url()], {
      env: { ...process.env, NODE_EXTRA_CA_CERTS: await testAuthorityFile() },
    });
    expect(stdout.trim()).toBe("200");
  });
});
