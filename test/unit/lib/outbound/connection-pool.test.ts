import { describe, expect, test } from "@jest/globals";
import { ConnectionPool } from "../../../../lib/outbound/connection-pool.ts";
import {
  closeAtOnce,
  huge,
  never,
  type Receiver,
  raw,
  startReceiver,
  status,
} from "../../../support/tls-receiver.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { failureOf, newClient, postTo, type TestClient } from "./support/client.ts";
import { trustedSuite } from "./support/endings.ts";

const ends = trustedSuite();

async function start(options: TestClient = {}) {
  const receiver = await startReceiver({ answer: status(200, {}, "whole") });
  const client = newClient(options);
  ends.push(receiver.stop, () => client.close());
  const post = (host = "localhost") => client.post(postTo(receiver.url("/", host)));
  return { receiver, client, post };
}

const connections = (receiver: Receiver) => receiver.requests.map(({ connection }) => connection);
const openConnections = (receiver: Receiver, count: number) =>
  waitFor(() => receiver.openConnectionCount() === count, { what: `${count} open connections` });

describe("a connection", () => {
  test("serves the next request once its answer was read whole", async () => {
    const { receiver, post } = await start();
    for (const _ of [1, 2, 3]) await post();
    expect(connections(receiver)).toEqual([1, 1, 1]);
  });

  test("whose answer was not read whole serves no more", async () => {
    const { receiver, post } = await start();
    receiver.answer = huge(1_000_000);
    await post();
    await openConnections(receiver, 0);
    await post();
    expect(connections(receiver)).toEqual([1, 2]);
  });

  test("is closed when it has been idle for some seconds", async () => {
    const { receiver, post } = await start();
    await post();
    expect(receiver.openConnectionCount()).toBe(1);
    await waitFor(() => receiver.openConnectionCount() === 0, { what: "the end", timeoutMs: 15_000 });
  });

  test("that is idle is closed with the client", async () => {
    const { receiver, client, post } = await start();
    await post();
    client.close();
    await openConnections(receiver, 0);
  });

  test("gives way where there are too many decisions, but not while it is in use", async () => {
    const { receiver, post } = await start({ pool: new ConnectionPool(1) });
    receiver.answer = never;
    let finish: () => void = () => {};
    receiver.answer = (response) => {
      finish = () => response.end("late");
    };
    const slow = post("localhost");
    await waitFor(() => receiver.requests.length === 1, { what: "the first request" });
    receiver.answer = status(200);
    await post("127.0.0.1");
    finish();
    expect((await slow).body.toString()).toBe("late");
    await openConnections(receiver, 1);
    await post("127.0.0.1");
    await post("localhost");
    expect(connections(receiver)).toEqual([1, 2, 2, 3]);
  });
});

describe("a kept connection that was given up by the other side", () => {
  /** Answers one request, and closes each further one on the same connection without a word. */
  const dead = (receiver: Receiver, answer: typeof closeAtOnce) => {
    const known = new Set<number>();
    receiver.answer = (response, request) => {
      if (known.has(request.connection)) answer(response, request);
      else status(200)(response, request);
      known.add(request.connection);
    };
  };

  test.each([
    { how: "closes", answer: closeAtOnce },
    { how: "ends", answer: raw("") },
  ])("and $how at the next request is replaced by a fresh one, once", async ({ answer }) => {
    const { receiver, post } = await start();
    dead(receiver, answer);
    await post();
    expect(await post()).toMatchObject({ statusCode: 200 });
    expect(connections(receiver)).toEqual([1, 1, 2]);
  });

  test("is not replaced where the fresh one is closed too", async () => {
    const { receiver, post } = await start();
    await post();
    receiver.answer = closeAtOnce;
    expect(await failureOf(post())).toMatchObject({ reason: "refused" });
    expect(connections(receiver)).toEqual([1, 1, 2]);
  });

  test("is not replaced once a byte of an answer has come", async () => {
    const { receiver, post } = await start();
    dead(receiver, raw("H"));
    await post();
    expect(await failureOf(post())).toMatchObject({ reason: "refused" });
    expect(connections(receiver)).toEqual([1, 1]);
  });

  test("is not replaced where it was fresh itself", async () => {
    const { receiver, post } = await start();
    receiver.answer = closeAtOnce;
    expect(await failureOf(post())).toMatchObject({
      reason: "refused",
      message: "it closed the connection without an answer",
    });
    expect(connections(receiver)).toEqual([1]);
  });
});
