import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "@jest/globals";
import type { Database } from "../../../../db/database.ts";
import { GONE } from "../../../../services/dispatcher/channels/channel.ts";
import { channels } from "../../../../services/dispatcher/delivery.entity.ts";
import { openFreshSqlite } from "../../../support/databases.ts";
import { trustTestAuthority } from "../../../support/test-authority.ts";
import { waitFor } from "../../../support/wait-for.ts";
import { SECRET, type StartChannel, type TestChannel, testChannels } from "./support/test-channels.ts";

/** Longer than any test: for those that are about something else. */
const PATIENT_MS = 20_000;

let database: Database;
let undoTrust: () => void;
beforeAll(async () => {
  undoTrust = await trustTestAuthority();
  database = await openFreshSqlite();
});
afterAll(() => undoTrust());

test("the suite has every channel", () => {
  expect(Object.keys(testChannels)).toEqual([...channels]);
});

const table = Object.entries<StartChannel>(testChannels);
const failed = { isSuccess: false, statusCode: null, response: null, durationMs: expect.any(Number) };

describe.each(table)("the channel %s", (name, start) => {
  const isHttp = name !== "mail";
  let channel: TestChannel;
  beforeEach(async () => {
    channel = await start(database, { timeoutMs: PATIENT_MS });
  });
  afterEach(() => channel.close());
  const send = (signal = new AbortController().signal) => channel.sender.send(channel.delivery, signal);

  test("sends once, and knows that it was taken", async () => {
    expect(await send()).toMatchObject({ isSuccess: true, statusCode: isHttp ? 200 : null, error: null });
    expect(channel.received()).toBe(1);
  });

  test("sends again when asked again", async () => {
    await send();
    await send();
    expect(channel.received()).toBe(2);
  });

  test("keeps status and answer of a refusal", async () => {
    channel.behave("refuse");
    expect(await send()).toMatchObject({
      isSuccess: false,
      statusCode: isHttp ? 503 : 550,
      error: "status",
      response: expect.stringMatching(isHttp ? /^Not now$/ : /No such user/),
      durationMs: expect.any(Number),
    });
  });

  test("keeps 1 KiB of an answer, without the secrets in it", async () => {
    channel.behave("long refusal");
    const outcome = await send();
    expect(outcome).toMatchObject({ isSuccess: false, error: "status", response: expect.any(String) });
    expect(JSON.stringify(outcome)).not.toContain(SECRET.slice(0, 8));
    const { response } = outcome === GONE ? { response: null } : outcome;
    const bytes = Buffer.byteLength(response ?? "");
    expect(bytes).toBeGreaterThan(1000);
    expect(bytes).toBeLessThanOrEqual(1024);
    expect(response).not.toContain("\uFFFD");
  });

  test("calls silence a timeout", async () => {
    const hasty = await start(database, { timeoutMs: 100 });
    hasty.behave("silence");
    const outcome = await hasty.sender.send(hasty.delivery, new AbortController().signal);
    await hasty.close();
    expect(outcome).toEqual({ ...failed, error: "timeout" });
  });

  test("says that nobody listens", async () => {
    await channel.stopReceiver();
    expect(await send()).toEqual({ ...failed, error: "refused" });
  });

  test("sends nothing to a target that is gone", async () => {
    await channel.removeTarget();
    expect(await send()).toBe(GONE);
    expect(channel.connectionCount()).toBe(0);
  });

  test("ends at once where it is called off, and closes the connection", async () => {
    channel.behave("silence");
    const controller = new AbortController();
    const sending = send(controller.signal);
    await waitFor(() => channel.openConnectionCount() === 1, { what: "the connection" });
    controller.abort();
    await expect(sending).rejects.toMatchObject({ reason: "aborted" });
    await waitFor(() => channel.openConnectionCount() === 0, { what: "the connection's end" });
  });

  test("does not begin what was called off before", async () => {
    await expect(send(AbortSignal.abort())).rejects.toMatchObject({ reason: "aborted" });
    expect(channel.received()).toBe(0);
  });

  test("ends what runs when it is closed", async () => {
    channel.behave("silence");
    const sending = send();
    await waitFor(() => channel.openConnectionCount() === 1, { what: "the connection" });
    await Promise.all([expect(sending).rejects.toMatchObject({ reason: "aborted" }), channel.sender.close()]);
  });

  if (isHttp) {
    test("follows no redirect", async () => {
      channel.behave("redirect");
      expect(await send()).toMatchObject({ isSuccess: false, statusCode: 307, error: "redirect" });
      expect(channel.received()).toBe(1);
    });

    test("hands on how long to wait", async () => {
      channel.behave("retry later");
      expect(await send()).toMatchObject({ statusCode: 429, error: "status", retryAfterMs: 7000 });
    });
  }
});
