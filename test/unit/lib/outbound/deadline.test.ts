import { describe, expect, test } from "@jest/globals";
import type { OutboundPost } from "../../../../lib/outbound/outbound-client.ts";
import {
  dripBody,
  dripHeaders,
  never,
  type Receiver,
  type ReceiverOptions,
  raw,
  startReceiver,
} from "../../../support/tls-receiver.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { failureOf, newClient, postTo, type TestClient, timersByHand } from "./support/client.ts";
import { trustedSuite } from "./support/endings.ts";

const ends = trustedSuite();

const unresolved = () => new Promise<never>(() => {});

interface Stage {
  readonly when: string;
  readonly receiver: ReceiverOptions;
  readonly client?: TestClient;
  /** Whether the stage has been reached. */
  readonly isReached: (receiver: Receiver) => boolean;
  readonly message: string;
}

/** Where a receiver can keep a request waiting. */
const stages: readonly Stage[] = [
  {
    when: "nobody resolves the name",
    receiver: {},
    client: { resolve: unresolved },
    isReached: () => true,
    message: "its name was not resolved within 5 seconds",
  },
  {
    when: "it takes the connection and says no word",
    receiver: { greeting: "accept" },
    isReached: (receiver) => receiver.openConnectionCount() === 1,
    message: "its TLS handshake did not end within 5 seconds",
  },
  {
    when: "it never answers",
    receiver: { answer: never },
    isReached: (receiver) => receiver.requests.length === 1,
    message: "it did not answer within 5 seconds",
  },
  {
    when: "its headers drip",
    receiver: { answer: dripHeaders() },
    isReached: (receiver) => receiver.requests.length === 1,
    message: "it did not answer within 5 seconds",
  },
  {
    when: "its body drips",
    receiver: { answer: dripBody() },
    isReached: (receiver) => receiver.requests.length === 1,
    message: "its answer did not end within 5 seconds",
  },
  {
    when: "it says that there is more to come, for ever",
    receiver: { answer: raw("HTTP/1.1 100 Continue\r\n\r\n".repeat(3), { isEnded: false }) },
    isReached: (receiver) => receiver.requests.length === 1,
    message: "it did not answer within 5 seconds",
  },
];

async function start({ receiver: options, client: clientOptions }: Pick<Stage, "receiver" | "client">) {
  const receiver = await startReceiver(options);
  const timers = timersByHand();
  const client = newClient({ startTimer: timers.start, ...clientOptions });
  ends.push(receiver.stop, () => client.close());
  const host = clientOptions?.resolve ? "receiver.test" : "localhost";
  const post = (rest: Partial<OutboundPost> = {}) =>
    failureOf(client.post(postTo(receiver.url("/", host), { timeoutMs: 5000, ...rest })));
  return { receiver, timers, client, post };
}

const allClosed = (receiver: Receiver) =>
  waitFor(() => receiver.openConnectionCount() === 0, { what: "all connections to be closed" });

describe.each(stages)("where $when", ({ message, isReached, ...options }) => {
  test("the deadline ends the request and its connection, and says at what", async () => {
    const { receiver, timers, post } = await start(options);
    const failing = post();
    await waitFor(() => isReached(receiver), { what: "the stage" });
    // The client learns a moment after the receiver that the stage is reached.
    const failure = await endingOnce(failing, timers.endAll);
    expect(failure).toMatchObject({ reason: "timeout", message });
    await allClosed(receiver);
    expect(timers.runningCount()).toBe(0);
  });

  test("the caller can abort it", async () => {
    const { receiver, timers, post } = await start(options);
    const aborting = new AbortController();
    const failing = post({ signal: aborting.signal });
    await waitFor(() => isReached(receiver), { what: "the stage" });
    aborting.abort();
    expect(await failing).toMatchObject({ reason: "aborted", message: "the request was cancelled" });
    await allClosed(receiver);
    expect(timers.runningCount()).toBe(0);
  });

  test("closing the client aborts it", async () => {
    const { receiver, client, post } = await start(options);
    const failing = post();
    await waitFor(() => isReached(receiver), { what: "the stage" });
    client.close();
    expect(await failing).toMatchObject({ reason: "aborted" });
    await allClosed(receiver);
  });
});

/** Lets what is on its way arrive before the end: a few turns of the process, whatever they take. */
async function endingOnce<Result>(failing: Promise<Result>, end: () => void): Promise<Result> {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
  end();
  return await failing;
}

describe("by real time", () => {
  test.each([
    { when: "a body drips without an end", answer: dripBody(2) },
    { when: "headers drip without an end", answer: dripHeaders(2) },
    { when: "nothing comes", answer: never },
  ])("a request ends where $when", async ({ answer }) => {
    const receiver = await startReceiver({ answer });
    const client = newClient();
    ends.push(receiver.stop, () => client.close());
    const failure = await failureOf(client.post(postTo(receiver.url(), { timeoutMs: 300 })));
    expect(failure.reason).toBe("timeout");
    expect(failure.message).toMatch(/ within 0\.3 seconds$/);
    await allClosed(receiver);
  });
});

test("a request that its caller has aborted already connects to nobody", async () => {
  const { receiver, post } = await start({ receiver: {} });
  expect(await post({ signal: AbortSignal.abort() })).toMatchObject({ reason: "aborted" });
  expect(receiver.connectionCount()).toBe(0);
});

test("a closed client sends nothing", async () => {
  const { receiver, client, post } = await start({ receiver: {} });
  client.close();
  expect(await post()).toMatchObject({ reason: "aborted" });
  expect(receiver.connectionCount()).toBe(0);
});
