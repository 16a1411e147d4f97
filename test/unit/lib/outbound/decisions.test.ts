import { describe, expect, test } from "@jest/globals";
import type { OutboundClient } from "../../../../lib/outbound/outbound-client.ts";
import { type Receiver, type ReceiverOptions, startReceiver, status } from "../../../support/tls-receiver.ts";
import { failureOf, hasIpv6, newClient, postTo, type TestClient } from "./support/client.ts";
import { trustedSuite } from "./support/endings.ts";

const ends = trustedSuite();

async function receiverWith(options: ReceiverOptions = {}): Promise<Receiver> {
  const receiver = await startReceiver(options);
  ends.push(receiver.stop);
  return receiver;
}

/** A client whose look-ups answer with these, one after the other; the last one goes on. */
function clientSeeing(lookUps: readonly (readonly string[])[], options: TestClient = {}): OutboundClient {
  const left = [...lookUps];
  const resolve = async () => (left.length > 1 ? left.shift() : left[0]) ?? [];
  const client = newClient({ resolve, ...options });
  ends.push(() => client.close());
  return client;
}

const name = "receiver.test";

describe("a name", () => {
  test("that answers differently at the second look-up is judged by what it answers then", async () => {
    const outside = await receiverWith();
    const inside = await receiverWith({ host: "127.0.0.2", port: outside.port });
    const client = clientSeeing([["127.0.0.1"], ["127.0.0.2"], ["127.0.0.1"]], { allowed: "127.0.0.1" });
    const post = () => client.post(postTo(outside.url("/", name)));
    expect(await post()).toMatchObject({ statusCode: 200 });
    expect(await failureOf(post())).toMatchObject({ reason: "blocked" });
    expect(await post()).toMatchObject({ statusCode: 200 });
    expect([outside.requests.length, inside.connectionCount()]).toEqual([2, 0]);
  });

  test("is looked up once for each request, and the connection goes where that look-up said", async () => {
    const first = await receiverWith();
    const second = await receiverWith({ host: "127.0.0.2", port: first.port });
    let lookUps = 0;
    const resolve = async () => {
      lookUps += 1;
      return [lookUps === 1 ? "127.0.0.1" : "127.0.0.2"];
    };
    const client = clientSeeing([], { resolve });
    for (const _ of [1, 2, 3]) await client.post(postTo(first.url("/", name)));
    expect([first.requests.length, second.requests.length, lookUps]).toEqual([1, 2, 3]);
  });

  test.each(["10.0.0.1", "::1", "::ffff:127.0.0.1", "169.254.169.254", "fe80::1%eth0", "nonsense"])(
    "with a public address and %s is refused as a whole",
    async (forbidden) => {
      const client = clientSeeing([["8.8.8.8", forbidden]], { allowed: "" });
      expect(await failureOf(client.post(postTo(`https://${name}/`)))).toMatchObject({ reason: "blocked" });
    },
  );

  test("without an address is not resolved", async () => {
    const failure = await failureOf(clientSeeing([[]]).post(postTo(`https://${name}/`)));
    expect(failure).toMatchObject({ reason: "dns", message: "its name could not be resolved" });
  });

  test("is reached at the first of its addresses that takes the connection", async () => {
    const receiver = await receiverWith({ host: "127.0.0.3" });
    const dead = ["127.0.0.1", ...(hasIpv6 ? ["::1"] : []), "127.0.0.2"];
    const client = clientSeeing([[...dead, "127.0.0.3"]]);
    expect(await client.post(postTo(receiver.url("/", name)))).toMatchObject({ statusCode: 200 });
  });

  test("none of whose addresses takes the connection refuses it", async () => {
    const receiver = await startReceiver();
    await receiver.stop();
    const failure = await failureOf(
      clientSeeing([["127.0.0.1", "127.0.0.2"]]).post(postTo(receiver.url("/", name))),
    );
    expect(failure).toMatchObject({ reason: "refused", message: "it refused the connection" });
  });
});

describe("localhost", () => {
  test.each(["localhost", "LOCALHOST", "localhost.", "hooks.localhost"])(
    "as %s is loopback whatever a resolver says",
    async (written) => {
      const client = clientSeeing([["8.8.8.8"]], { allowed: "" });
      expect(await failureOf(client.post(postTo(`https://${written}/`)))).toMatchObject({
        reason: "blocked",
      });
    },
  );

  test.each(["localhost", "LOCALHOST.", "hooks.localhost", "127.0.0.1"])(
    "as %s is reached where 127.0.0.1 alone is allowed",
    async (written) => {
      const receiver = await receiverWith();
      const client = clientSeeing([["8.8.8.8"]], { allowed: "127.0.0.1" });
      expect(await client.post(postTo(receiver.url("/", written)))).toMatchObject({ statusCode: 200 });
    },
  );

  // A host without IPv6 cannot have a receiver there.
  if (hasIpv6) {
    test.each(["localhost", "[::1]"])("as %s is reached by IPv6 too", async (written) => {
      const receiver = await receiverWith({ host: "::1" });
      const client = clientSeeing([[]], { allowed: "::1" });
      expect(await client.post(postTo(receiver.url("/", written)))).toMatchObject({ statusCode: 200 });
    });
  }
});

describe("a kept connection", () => {
  test("is used again under the same decision, in whatever order the addresses come", async () => {
    const receiver = await receiverWith({ answer: status(200, {}, "read whole") });
    const client = clientSeeing([
      ["127.0.0.1", "127.0.0.2"],
      ["127.0.0.2", "127.0.0.1"],
    ]);
    for (const _ of [1, 2, 3]) await client.post(postTo(receiver.url("/", name)));
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 1, 1]);
  });

  test.each([
    { other: "set of addresses", second: { addresses: ["127.0.0.1", "127.0.0.2"], host: name } },
    { other: "name", second: { addresses: ["127.0.0.1"], host: `b.${name}` } },
    { other: "way to name it", second: { addresses: ["127.0.0.1"], host: "127.0.0.1" } },
  ])("is not used under another $other", async ({ second }) => {
    const receiver = await receiverWith();
    const client = clientSeeing([["127.0.0.1"], second.addresses]);
    await client.post(postTo(receiver.url("/", name)));
    await client.post(postTo(receiver.url("/", second.host)));
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  test("is not used by another client", async () => {
    const receiver = await receiverWith();
    for (const _ of [1, 2]) await clientSeeing([["127.0.0.1"]]).post(postTo(receiver.url("/", name)));
    expect(receiver.requests.map(({ connection }) => connection)).toEqual([1, 2]);
  });

  test("is not used once what was allowed then is no more, because each look-up is judged", async () => {
    const receiver = await receiverWith();
    const client = clientSeeing([["127.0.0.1"], ["127.0.0.1", "127.0.0.2"]], { allowed: "127.0.0.1" });
    await client.post(postTo(receiver.url("/", name)));
    expect(await failureOf(client.post(postTo(receiver.url("/", name))))).toMatchObject({
      reason: "blocked",
    });
    expect(receiver.requests).toHaveLength(1);
  });
});
